package io.tidemark.ingest;

import io.tidemark.ingest.eviction.EvictionWhenWindowsClose;
import io.tidemark.merge.ConflictRetry;
import io.tidemark.merge.SettlementMarks;
import io.tidemark.spec.Emit;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.Aggregation;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.journal.ProgressJournal;
import java.time.Clock;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * The query {@code aggregate}: archive to aggregates. Reads the archive as a stream of whole
 * commits from its first version on, and merges what each batch changes.
 */
public final class AggregateJob implements StreamJob {

  private static final long FIRST_VERSION = 0;

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final Checkpoint checkpoint;
  private final ProgressJournal progress;

  public AggregateJob(
      SparkSession spark,
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      Clock clock) {
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
    return "aggregate";
  }

  @Override
  public Checkpoint checkpoint() {
    return checkpoint;
  }

  @Override
  public void check() {
    if (!checkpoint.exists() && progress.newest().isPresent()) {
      throw new UnsafeEnvironmentException(
          "Cannot aggregate into "
              + tables.aggregates()
              + ": a stream has written there, but its checkpoint "
              + checkpoint.location()
              + " is gone, and with it the state of the open windows. Put the checkpoint back, or"
              + " ingest again into a new warehouse path.");
    }
  }

  @Override
  public StreamingQuery start(Trigger trigger) throws Exception {
    EvictionWhenWindowsClose.enable(spark.conf(), spec.window());
    Dataset<Row> archive = format.stream(tables.archive(), FIRST_VERSION);
    EstimateWriter writer =
        new EstimateWriter(
            spec,
            tables.aggregates(),
            format,
            new SettlementMarks(format, tables.aggregates()),
            progress,
            checkpoint,
            ConflictRetry.endless());
    return Aggregation.ofStream(archive, spec)
        .writeStream()
        .outputMode(spec.emit() == Emit.ON_CLOSE ? "append" : "update")
        .queryName(name() + "-" + spec.name())
        .option("checkpointLocation", checkpoint.location())
        .trigger(trigger)
        .foreachBatch(writer)
        .start();
  }
}
