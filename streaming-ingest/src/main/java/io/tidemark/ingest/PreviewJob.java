package io.tidemark.ingest;

import static org.apache.spark.sql.functions.col;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.Aggregation;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.computation.ArchiveRows;
import io.tidemark.spec.computation.Memberships;
import io.tidemark.spec.computation.RecordCounts;
import io.tidemark.spec.computation.StreamBounds;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The job {@code preview}: runs a sample file through a spec, without any table. */
public final class PreviewJob {

  private final SparkSession spark;
  private final PipelineSpec spec;

  public PreviewJob(SparkSession spark, PipelineSpec spec) {
    this.spark = spark;
    this.spec = spec;
  }

  /**
   * What the spec makes of a sample.
   *
   * @param events the first few archive rows
   * @param rows the first few aggregates, in the order of their windows
   */
  public record Preview(
      RecordCounts records,
      List<ProblemCount> problems,
      Dataset<Row> events,
      long aggregates,
      Dataset<Row> rows) {
    public Preview {
      problems = List.copyOf(problems);
    }
  }

  /**
   * Reads the sample as a source's file would be read.
   *
   * @param most how many events and rows to show
   */
  public Preview run(String samplePath, int most) {
    Dataset<Row> archive =
        ArchiveRows.sampled(
                FileRecords.batch(
                    spark, spec.source().history(), spec.event(), List.of(samplePath)),
                spec.event(),
                spec.source())
            .cache();
    Dataset<Row> rows =
        Aggregation.ofMemberships(Memberships.of(archive, spec), spec, StreamBounds.none(spark));
    return new Preview(
        RecordCounts.of(archive, spec),
        ProblemCount.of(archive),
        archive
            .select(
                col(ArchiveColumns.EVENT_TIME),
                col(ArchiveColumns.ARRIVAL_TIME),
                col(ArchiveColumns.PROBLEM),
                col(ArchiveColumns.EVENT + ".*"))
            .limit(most),
        rows.count(),
        rows.drop(
                Aggregation.DUPLICATES,
                Aggregation.LEFT_OUT,
                Aggregation.IMPORTED,
                spec.partition().columnName())
            .orderBy(AggregateColumns.WINDOW_START)
            .limit(most));
  }
}
