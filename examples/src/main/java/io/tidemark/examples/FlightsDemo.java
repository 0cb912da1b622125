package io.tidemark.examples;

import io.tidemark.cli.SessionFactory;
import io.tidemark.delta.DeltaTableFormat;
import io.tidemark.ingest.AggregateJob;
import io.tidemark.ingest.CheckpointLock;
import io.tidemark.ingest.IngestJob;
import io.tidemark.reconcile.SettleJob;
import io.tidemark.reconcile.SettleOutcome;
import io.tidemark.reconcile.SettleRequest;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.ParsedPipeline;
import io.tidemark.spec.parse.PipelineParser;
import io.tidemark.tables.PipelineSetup;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.Warehouse;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;

/**
 * Two weeks of real departures, in their real order of arrival, through stream and settlement. Run
 * again, it goes on where it ended; a finished demo is only shown.
 */
public final class FlightsDemo {

  /**
   * A slice is one file, one commit of the archive and one batch of the stream: a day, cut where
   * the frontier of the one before has passed midnight, so that its day can be settled.
   */
  private static final LocalTime CUT = LocalTime.of(2, 0);

  private static final long POLL_MILLIS = 20;

  /** A hundred events a batch are counted before code for them would be compiled. */
  static final Map<String, String> SETTINGS =
      Map.of(
          "spark.sql.shuffle.partitions", "1",
          "spark.sql.codegen.wholeStage", "false",
          "spark.sql.codegen.factoryMode", "NO_CODEGEN",
          "spark.sql.adaptive.enabled", "false",
          "spark.sql.streaming.stateStore.providerClass",
              "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider");

  /** Looks for files often, but not without a pause, which would take a whole core. */
  private static final long EAGER_MILLIS = 300;

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final SettleJob settle;
  private final PrintStream out;

  private FlightsDemo(SparkSession spark, ParsedPipeline file, Path warehouse, PrintStream out) {
    Clock clock = Clock.systemUTC();
    this.spark = spark;
    this.spec = file.spec();
    this.format = new DeltaTableFormat(spark);
    this.out = out;
    this.tables =
        new PipelineSetup(spark, file, new Warehouse(warehouse.toString()), format).create(clock);
    this.settle =
        new SettleJob(spark, spec, tables, format, clock, () -> UUID.randomUUID().toString());
  }

  /**
   * Runs the demo.
   *
   * @param arguments the folder {@code examples/flights}, and the warehouse
   */
  public static void main(String[] arguments) throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    Path example = Path.of(arguments[0]);
    Path warehouse = Path.of(arguments[1]).toAbsolutePath();
    PrintStream out = System.out;
    out.println("Starting Spark on this machine…");
    SparkSession spark = SessionFactory.open("demo", SETTINGS);
    ParsedPipeline file =
        PipelineParser.parse("flights.yaml", Files.readString(example.resolve("flights.yaml")));
    PipelineSpec spec = file.spec();
    Path landing = Path.of(spec.source().history().path());
    Departures departures = Departures.read(example.resolve("flights.jsonl.gz"), CUT);
    FlightsDemo demo = new FlightsDemo(spark, file, warehouse, out);
    demo.run(departures, landing);
    new DemoSummary(spark, spec, demo.tables, demo.format, out).print(warehouse);
    SessionFactory.close(spark);
    System.exit(0);
  }

  private void run(Departures departures, Path landing) throws Exception {
    Files.createDirectories(landing);
    IngestJob ingestJob = new IngestJob(spark, spec, tables, format);
    AggregateJob aggregateJob = new AggregateJob(spark, spec, tables, format, Clock.systemUTC());
    CheckpointLock ingestLock = CheckpointLock.acquire(ingestJob.checkpoint());
    CheckpointLock aggregateLock = CheckpointLock.acquire(aggregateJob.checkpoint());
    StreamingQuery ingest = ingestJob.start(Trigger.ProcessingTime(EAGER_MILLIS));
    StreamingQuery aggregate = aggregateJob.start(Trigger.ProcessingTime(EAGER_MILLIS));
    // As in production, settlements run beside the stream, one after the other.
    ExecutorService settlements = Executors.newSingleThreadExecutor();
    Future<?> settlement = CompletableFuture.completedFuture(null);
    boolean anythingNew = false;
    long counted = -1;
    try {
      for (Instant slice : departures.starts()) {
        if (!departures.land(slice, landing)) {
          continue;
        }
        anythingNew = true;
        ingest.processAllAvailable();
        counted = counted(aggregate, counted);
        Instant midnight = slice.truncatedTo(ChronoUnit.DAYS);
        settlement.get();
        settlement =
            settlements.submit(
                () -> report(settle.run(new SettleRequest.BehindFrontier(Optional.of(midnight)))));
      }
      ingest.processAllAvailable();
      aggregate.processAllAvailable();
      settlement.get();
    } finally {
      settlements.shutdown();
      ingest.stop();
      aggregate.stop();
      ingestLock.close();
      aggregateLock.close();
    }
    if (anythingNew) {
      report(
          settle.run(new SettleRequest.Close(Optional.empty(), "the two weeks of the demo end")));
    }
  }

  /** Waits until the stream has merged a batch with records that is newer than the one given. */
  private static long counted(StreamingQuery aggregate, long before) throws Exception {
    while (true) {
      for (StreamingQueryProgress batch : aggregate.recentProgress()) {
        if (batch.numInputRows() > 0 && batch.batchId() > before) {
          return batch.batchId();
        }
      }
      if (aggregate.awaitTermination(POLL_MILLIS)) {
        throw new IllegalStateException("the stream has ended");
      }
    }
  }

  private void report(SettleOutcome outcome) {
    if (outcome instanceof SettleOutcome.Adopted adopted) {
      out.printf(
          "Settlement %2d, through %s: the stream had %,6d departures, the recount %,6d.%n",
          adopted.mark().settlement(),
          adopted.mark().settledThrough(),
          adopted.mark().count("estimated"),
          adopted.mark().count("counted"));
    }
  }
}
