package io.tidemark.ingest;

import io.tidemark.ingest.eviction.EvictionWhenWindowsClose;
import io.tidemark.merge.ConflictRetry;
import io.tidemark.merge.SettlementMarks;
import io.tidemark.spec.Emit;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.Aggregation;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.journal.ProgressJournal;
import io.tidemark.tables.journal.ProgressStep;
import java.time.Clock;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * The query {@code aggregate} of one generation: archive to aggregates. Reads the archive as a
 * stream of whole commits from the generation's first version on, and merges what each batch
 * changes.
 */
public final class AggregateJob implements StreamJob {

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final Checkpoint checkpoint;
  private final ProgressJournal progress;
  private final long firstVersion;

  /** Of a generation that is streamed from the archive's first version on. */
  public AggregateJob(
      SparkSession spark,
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      Clock clock) {
    this(spark, spec, tables, format, clock, 0);
  }

  /** Of any generation. */
  public AggregateJob(
      SparkSession spark, ServedGeneration generation, TableFormat format, Clock clock) {
    this(
        spark,
        generation.spec(),
        generation.tables(),
        format,
        clock,
        generation.row().start().firstVersion());
  }

  private AggregateJob(
      SparkSession spark,
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      Clock clock,
      long firstVersion) {
    this.firstVersion = firstVersion;
    this.spark = spark;
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.checkpoint =
        new Checkpoint(tables.aggregateCheckpoint(), spark.sparkContext().hadoopConfiguration());
    this.progress = new ProgressJournal(spark, format, tables.progress(), clock);
  }

  @Override
  public String name() {
    return "aggregate-" + tables.generation();
  }

  @Override
  public Checkpoint checkpoint() {
    return checkpoint;
  }

  @Override
  public void check() {
    boolean hasStreamed = progress.newest().filter(ProgressStep::isOfStream).isPresent();
    if (!checkpoint.exists() && hasStreamed) {
      throw new UnsafeEnvironmentException(
          "Cannot aggregate into "
              + tables.aggregates()
              + ": a stream has written there, but its checkpoint "
              + checkpoint.location()
              + " is gone, and with it the state of the open windows. Put the checkpoint back, or"
              + " build a new generation from the archive with 'tidemark rebuild --again'.");
    }
  }

  @Override
  public boolean goesOnAfter(Throwable death) {
    return format.endedByNewFields(death);
  }

  @Override
  public StreamingQuery start(Trigger trigger) throws Exception {
    EvictionWhenWindowsClose.enable(spark.conf(), spec.window());
    Dataset<Row> archive = format.stream(tables.archive(), firstVersion);
    EstimateWriter writer =
        new EstimateWriter(
            spec,
            tables.aggregates(),
            format,
            new SettlementMarks(format, tables.aggregates()),
            progress,
            checkpoint,
            ConflictRetry.endless(),
            firstVersion);
    return Aggregation.ofStream(archive, spec)
        .writeStream()
        .outputMode(spec.emit() == Emit.ON_CLOSE ? "append" : "update")
        .queryName("aggregate-" + spec.name() + "-" + tables.generation())
        .option("checkpointLocation", checkpoint.location())
        .trigger(trigger)
        .foreachBatch(writer)
        .start();
  }
}
