package io.tidemark.bench.contender;

import io.tidemark.bench.workload.Peak;
import io.tidemark.delta.DeltaTableFormat;
import io.tidemark.ingest.AggregateJob;
import io.tidemark.ingest.eviction.EvictionWhenWindowsClose;
import io.tidemark.merge.AggregateMerge;
import io.tidemark.merge.EvaluatedRows;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.Aggregation;
import io.tidemark.spec.parse.ParsedPipeline;
import io.tidemark.spec.parse.PipelineParser;
import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.Generation;
import io.tidemark.tables.PipelineSetup;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.Warehouse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;

/**
 * A stream from the archive into a sink, batch by batch: {@code SINK PIPELINE PREPARED OUT WARM-UPS
 * HISTORY}. {@code PREPARED} is a warehouse whose archive is finished, {@code OUT} an empty
 * directory, {@code HISTORY} a number of rows that are in the target before. The first commit fills
 * the state; then so many warm up, and the others are measured.
 */
public final class StreamContender {

  /** Where the aggregates go. The plan before it is the same for all. */
  private enum Sink {
    /** The job {@code aggregate}, with whichever emit mode the pipeline file has. */
    TIDEMARK,
    /** Nowhere: what the plan costs by itself. */
    NOOP,
    /** What one writes first: a MERGE on the keys, into a table without partitions. */
    TEXTBOOK
  }

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final Path out;
  private int historyCommits;

  private StreamContender(
      SparkSession spark, PipelineSpec spec, PipelineTables tables, TableFormat format, Path out) {
    this.spark = spark;
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.out = out;
  }

  public static void main(String[] arguments) {
    // A stream that is behind has no batches without data.
    Contender.main(
        Map.of("spark.sql.streaming.noDataMicroBatches.enabled", "false"),
        spark -> {
          ParsedPipeline parsed =
              PipelineParser.parse(arguments[1], Files.readString(Path.of(arguments[1])));
          PipelineSpec spec = parsed.spec();
          PipelineTables prepared = new Warehouse(arguments[2]).of(spec.name(), Generation.FIRST);
          Path out = Path.of(arguments[3]).toAbsolutePath();
          TableFormat format = new DeltaTableFormat(spark);
          PipelineTables tables =
              new PipelineSetup(spark, parsed, new Warehouse(out + "/warehouse"), format)
                  .create(Clock.systemUTC());
          new StreamContender(spark, spec, tables, format, out)
              .run(
                  Sink.valueOf(arguments[0]),
                  Path.of(prepared.archive().value()),
                  Integer.parseInt(arguments[4]),
                  new History(spark, spec, Long.parseLong(arguments[5]), Peak.NOTHING_BEFORE));
        });
  }

  private void run(Sink sink, Path archive, int warmUps, History history) throws Exception {
    ArchiveReplay replay = new ArchiveReplay(archive, Path.of(tables.archive().value()));
    for (Dataset<Row> slice : history.slices()) {
      write(sink, slice);
    }
    StreamingQuery query = start(sink);
    try (Measurements measurements = new Measurements(out.resolve("measurements.jsonl"))) {
      for (int batch = 0; replay.hasNext(); batch++) {
        measurements.measure(
            "batch " + batch,
            batch > warmUps,
            () -> {
              replay.publishNext();
              query.processAllAvailable();
              return facts(query);
            });
        if (batch == 0 && !history.isEmpty()) {
          write(sink, history.touching(written(sink)));
        }
      }
    }
    query.stop();
    if (sink != Sink.NOOP) {
      ResultCsv.write(history.apart(written(sink)), out.resolve("result.csv"));
    }
  }

  private void write(Sink sink, Dataset<Row> rows) {
    switch (sink) {
      case TIDEMARK -> {
        try (EvaluatedRows evaluated = EvaluatedRows.of(rows, spec.partition())) {
          format.upsert(
              tables.aggregates(),
              AggregateMerge.ofEstimates(
                  spec,
                  evaluated.scope().orElseThrow(),
                  evaluated.size(),
                  Optional.of(Peak.NOTHING_BEFORE)),
              AggregateMerge.estimates(evaluated.rows()),
              CommitLabel.ofOneWriter("history", historyCommits++));
        }
      }
      case TEXTBOOK -> textbookMerge(rows);
      case NOOP -> throw new IllegalArgumentException("noop keeps no history");
    }
  }

  private Dataset<Row> written(Sink sink) {
    return sink == Sink.TEXTBOOK
        ? spark.read().format("delta").load(textbookTable())
        : format.read(tables.aggregates());
  }

  private StreamingQuery start(Sink sink) throws Exception {
    Trigger eager = Trigger.ProcessingTime(0);
    if (sink == Sink.TIDEMARK) {
      return new AggregateJob(spark, spec, tables, format, Clock.systemUTC()).start(eager);
    }
    if (sink == Sink.NOOP) {
      EvictionWhenWindowsClose.enable(spark.conf(), spec.window());
    }
    DataStreamWriter<Row> rows =
        Aggregation.ofStream(format.stream(tables.archive(), 0), spec)
            .writeStream()
            .outputMode("update")
            .option("checkpointLocation", out + "/checkpoint")
            .trigger(eager);
    return sink == Sink.NOOP
        ? rows.format("noop").start()
        : rows.foreachBatch((VoidFunction2<Dataset<Row>, Long>) (batch, id) -> textbookMerge(batch))
            .start();
  }

  private void textbookMerge(Dataset<Row> batch) {
    SparkSession session = batch.sparkSession();
    batch.createOrReplaceTempView("updates");
    if (!format.exists(new TablePath(textbookTable()))) {
      batch.limit(0).write().format("delta").save(textbookTable());
    }
    session.sql(
        """
        MERGE INTO delta.`%s` t USING updates s
        ON t.window_start = s.window_start AND t.key = s.key
        WHEN MATCHED THEN UPDATE SET *
        WHEN NOT MATCHED THEN INSERT *"""
            .formatted(textbookTable()));
  }

  private String textbookTable() {
    return out + "/textbook";
  }

  private static Map<String, Object> facts(StreamingQuery query) {
    StreamingQueryProgress progress = query.lastProgress();
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("events", progress.numInputRows());
    facts.put("durations_ms", new LinkedHashMap<>(progress.durationMs()));
    long bytes = 0;
    for (var state : progress.stateOperators()) {
      bytes += state.memoryUsedBytes();
    }
    facts.put("state_bytes", bytes);
    return facts;
  }
}
