package io.tidemark.tables.journal;

import static org.apache.spark.sql.functions.col;

import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.VersionRange;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** The table progress. Each step is written once, however often its batch is replayed. */
public final class ProgressJournal {

  private static final String APPLICATION = "progress";

  /** More than a checkpoint will ever have. */
  private static final long BATCHES_PER_EPOCH = 1_000_000_000_000L;

  /** The version of a table to which nothing has been written. */
  private static final long EMPTY = 0;

  private final SparkSession spark;
  private final TableFormat format;
  private final TablePath table;
  private final Clock clock;

  public ProgressJournal(SparkSession spark, TableFormat format, TablePath table, Clock clock) {
    this.spark = spark;
    this.format = format;
    this.table = table;
    this.clock = clock;
  }

  public Dataset<Row> rows() {
    return format.read(table);
  }

  /** The newest step of the newest epoch. */
  public Optional<ProgressStep> newest() {
    return newestPublished().map(PublishedStep::step);
  }

  /**
   * The same, with the time of its publication. Read from the table's newest commit, at a cost that
   * does not grow with the table; from its rows where that commit's file has been cleaned up.
   */
  public Optional<PublishedStep> newestPublished() {
    long version = format.version(table);
    if (version == EMPTY) {
      return Optional.empty();
    }
    return format
        .newest(table, VersionRange.through(version), APPLICATION)
        .map(commit -> PublishedStep.parse(commit.message()))
        .or(this::newestRow);
  }

  private Optional<PublishedStep> newestRow() {
    return rows()
        .orderBy(col("epoch").desc(), col("batch").desc())
        .limit(1)
        .collectAsList()
        .stream()
        .map(ProgressJournal::published)
        .findFirst();
  }

  /**
   * Writes a step.
   *
   * @param rowsMerged informative: rows of the batch that were merged
   */
  public void append(ProgressStep step, long rowsMerged) {
    StructType schema = format.read(table).schema();
    Instant now = clock.instant();
    Row row =
        RowFactory.create(
            step.epoch(),
            step.checkpoint(),
            step.batch(),
            step.frontier().map(Times::sql).orElse(null),
            step.archiveVersion().isPresent() ? step.archiveVersion().getAsLong() : null,
            step.settledThrough().map(Times::sql).orElse(null),
            rowsMerged,
            Times.sql(now));
    format.append(
        table,
        spark.createDataFrame(List.of(row), schema),
        CommitLabel.ofOneWriter(
            APPLICATION, labelVersion(step), new PublishedStep(step, now).toJson()));
  }

  /** Grows with each step: epochs follow one another, and batches within one. */
  private static long labelVersion(ProgressStep step) {
    return step.epoch() * BATCHES_PER_EPOCH + step.batch() - ProgressStep.OPENING;
  }

  private static PublishedStep published(Row row) {
    Object version = row.getAs("archive_version");
    return new PublishedStep(
        new ProgressStep(
            row.<Long>getAs("epoch"),
            row.getAs("checkpoint"),
            row.<Long>getAs("batch"),
            Optional.ofNullable(row.getAs("frontier")).map(Times::instant),
            version == null ? OptionalLong.empty() : OptionalLong.of((Long) version),
            Optional.ofNullable(row.getAs("settled_through")).map(Times::instant)),
        Times.instant(row.getAs("published_at")));
  }
}
