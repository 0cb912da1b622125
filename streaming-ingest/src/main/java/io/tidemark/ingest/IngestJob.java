package io.tidemark.ingest;

import io.tidemark.ingest.kafka.KafkaStream;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.Source;
import io.tidemark.spec.computation.ArchiveRows;
import io.tidemark.spec.error.TidemarkException;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.ArchiveSchema;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * The query {@code ingest}: source to archive. Every record is archived once, good or not, with its
 * source position; the table format's own sink makes a replayed batch change nothing.
 */
public final class IngestJob implements StreamJob {

  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final Checkpoint checkpoint;
  private final SourceStream source;

  /** Of a source that is not to go on behind a gap. */
  public IngestJob(
      SparkSession spark, PipelineSpec spec, PipelineTables tables, TableFormat format) {
    this(spark, spec, tables, format, OnSourceGap.STOP, Clock.systemUTC());
  }

  public IngestJob(
      SparkSession spark,
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      OnSourceGap onGap,
      Clock clock) {
    this.source =
        spec.source() instanceof Source.Kafka kafka
            ? new KafkaStream(spark, spec, kafka, tables, format, onGap, clock)
            : new FileStream(spark, spec.source().history(), spec.event());
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.checkpoint =
        new Checkpoint(tables.ingestCheckpoint(), spark.sparkContext().hadoopConfiguration());
  }

  @Override
  public String name() {
    return "ingest";
  }

  @Override
  public Checkpoint checkpoint() {
    return checkpoint;
  }

  @Override
  public void check() {
    if (!checkpoint.exists() && !ArchiveRows.ingested(format.read(tables.archive())).isEmpty()) {
      throw new UnsafeEnvironmentException(
          "Cannot ingest into "
              + tables.archive()
              + ": it holds records, but its checkpoint "
              + checkpoint.location()
              + " is gone, so it is not known which files or offsets they came from, and all would"
              + " be read again. Put the checkpoint back, or ingest again into a new warehouse"
              + " path.");
    }
    if (checkpoint.exists()) {
      requireAsNewAsTheArchive();
    }
    source.check(checkpoint);
  }

  /**
   * The archive skips batches that it has: an older checkpoint would have others under their
   * numbers.
   */
  private void requireAsNewAsTheArchive() {
    long begun = checkpoint.newestBatch().orElse(-1);
    format
        .newestVersion(tables.archive(), checkpoint.queryId())
        .filter(archived -> archived > begun)
        .ifPresent(
            archived -> {
              throw new UnsafeEnvironmentException(
                  "Cannot ingest into %s: it holds batch %d, and its checkpoint %s is older, of batch %d. What comes next would be taken for batches that are archived, and lost. Put the newest checkpoint back, or ingest again into a new warehouse path."
                      .formatted(tables.archive(), archived, checkpoint.location(), begun));
            });
  }

  @Override
  public List<String> warnings() {
    return source.warnings();
  }

  @Override
  public Optional<TidemarkException> reasonFor(Throwable death) {
    return source.reasonFor(death, checkpoint);
  }

  @Override
  public StreamingQuery start(Trigger trigger) throws Exception {
    ArchiveSchema.appendColumns(format, tables.archive(), spec.event());
    Dataset<Row> rows = ArchiveRows.of(source.records(checkpoint), spec.event(), spec.source());
    return format
        .appendingTo(tables.archive(), rows.writeStream())
        .queryName(name() + "-" + spec.name())
        .option("checkpointLocation", checkpoint.location())
        .trigger(trigger)
        .start();
  }
}
