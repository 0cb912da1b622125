package io.tidemark.ingest;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.first;
import static org.apache.spark.sql.functions.lit;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.Source;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.Aggregation;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.computation.ArchiveRows;
import io.tidemark.spec.computation.Memberships;
import io.tidemark.spec.computation.RecordCounts;
import io.tidemark.spec.computation.StreamBounds;
import java.util.List;
import java.util.Optional;
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
   * Records with one problem.
   *
   * @param example the first of them, as read; empty for Parquet
   */
  public record ProblemCount(String problem, long records, Optional<String> example) {}

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
    Source.Files source = (Source.Files) spec.source();
    Dataset<Row> archive =
        ArchiveRows.of(
                FileRecords.batch(spark, source, spec.event(), samplePath), spec.event(), source)
            .cache();
    Dataset<Row> rows =
        Aggregation.ofMemberships(Memberships.of(archive, spec), spec, StreamBounds.none(spark));
    return new Preview(
        RecordCounts.of(archive, spec),
        problems(archive),
        archive
            .select(
                col(ArchiveColumns.EVENT_TIME),
                col(ArchiveColumns.ARRIVAL_TIME),
                col(ArchiveColumns.PROBLEM),
                col(ArchiveColumns.EVENT + ".*"))
            .limit(most),
        rows.count(),
        rows.drop(Aggregation.DUPLICATES, Aggregation.LEFT_OUT, spec.partition().columnName())
            .orderBy(AggregateColumns.WINDOW_START)
            .limit(most));
  }

  private static List<ProblemCount> problems(Dataset<Row> archive) {
    return archive
        .filter(col(ArchiveColumns.PROBLEM).isNotNull())
        .groupBy(ArchiveColumns.PROBLEM)
        .agg(count(lit(1)), first(col(ArchiveColumns.RAW)))
        .orderBy(ArchiveColumns.PROBLEM)
        .collectAsList()
        .stream()
        .map(
            row ->
                new ProblemCount(
                    row.getString(0), row.getLong(1), Optional.ofNullable(row.getString(2))))
        .toList();
  }
}
