package io.tidemark.tables.journal;

import static org.apache.spark.sql.functions.col;

import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
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
    return rows()
        .orderBy(col("epoch").desc(), col("batch").desc())
        .limit(1)
        .collectAsList()
        .stream()
        .map(ProgressJournal::step)
        .findFirst();
  }

  /**
   * When the newest step was published, by the wall clock.
   *
   * @return empty where there is none
   */
  public Optional<Instant> published() {
    return rows()
        .orderBy(col("epoch").desc(), col("batch").desc())
        .limit(1)
        .select(col("published_at"))
        .collectAsList()
        .stream()
        .map(row -> Times.instant(row.get(0)))
        .findFirst();
  }

  /**
   * Writes a step.
   *
   * @param rowsMerged informative: rows of the batch that were merged
   */
  public void append(ProgressStep step, long rowsMerged) {
    StructType schema = format.read(table).schema();
    Row row =
        RowFactory.create(
            step.epoch(),
            step.checkpoint(),
            step.batch(),
            step.frontier().map(Times::sql).orElse(null),
            step.archiveVersion().isPresent() ? step.archiveVersion().getAsLong() : null,
            step.settledThrough().map(Times::sql).orElse(null),
            rowsMerged,
            Times.sql(clock.instant()));
    // Labels count from 0; the opening step is batch -1.
    format.append(
        table,
        spark.createDataFrame(List.of(row), schema),
        CommitLabel.ofOneWriter(step.checkpoint() + "/progress", step.batch() + 1));
  }

  private static ProgressStep step(Row row) {
    Object version = row.getAs("archive_version");
    return new ProgressStep(
        row.<Long>getAs("epoch"),
        row.getAs("checkpoint"),
        row.<Long>getAs("batch"),
        Optional.ofNullable(row.getAs("frontier")).map(Times::instant),
        version == null ? OptionalLong.empty() : OptionalLong.of((Long) version),
        Optional.ofNullable(row.getAs("settled_through")).map(Times::instant));
  }
}
