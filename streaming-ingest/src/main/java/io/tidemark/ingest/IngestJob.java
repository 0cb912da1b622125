package io.tidemark.ingest;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.Source;
import io.tidemark.spec.computation.ArchiveRows;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.ArchiveSchema;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
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

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final Checkpoint checkpoint;

  public IngestJob(
      SparkSession spark, PipelineSpec spec, PipelineTables tables, TableFormat format) {
    this.spark = spark;
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
              + " is gone, so it is not known which files they came from, and all would be read"
              + " again. Put the checkpoint back, or ingest again into a new warehouse path.");
    }
  }

  @Override
  public StreamingQuery start(Trigger trigger) throws Exception {
    ArchiveSchema.appendColumns(format, tables.archive(), spec.event());
    Source.Files source = (Source.Files) spec.source();
    Dataset<Row> records = FileRecords.stream(spark, source, spec.event());
    Dataset<Row> rows = ArchiveRows.of(records, spec.event(), source);
    return format
        .appendingTo(tables.archive(), rows.writeStream())
        .queryName(name() + "-" + spec.name())
        .option("checkpointLocation", checkpoint.location())
        .trigger(trigger)
        .start();
  }
}
