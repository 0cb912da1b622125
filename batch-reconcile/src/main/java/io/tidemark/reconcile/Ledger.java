package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;

import io.tidemark.merge.ConflictRetry;
import io.tidemark.merge.SettlementMark;
import io.tidemark.merge.SettlementMark.Undone;
import io.tidemark.merge.SettlementMarks.Adopted;
import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.LabelledCommit;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.VersionRange;
import io.tidemark.tables.journal.Times;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;

/**
 * The table settlements. A copy of what the settlements' commits say, so a row that a crash left
 * out is written by the next run.
 */
final class Ledger {

  /** Under which the ledger's rows are committed, each with its settlement's number. */
  private static final String APPLICATION = "ledger";

  /** In the order of the table's columns. */
  private static final List<String> COUNTS =
      List.of(
          "built",
          "agreed",
          "corrected",
          "missing",
          "phantom",
          "final_changed",
          "archived",
          "rejected",
          "filtered",
          "considered",
          "memberships",
          "counted",
          "duplicates",
          "estimated",
          "left_out",
          "imported",
          "frozen");

  private final SparkSession spark;
  private final TableFormat format;
  private final TablePath table;
  private final Clock clock;
  private final ConflictRetry retry = ConflictRetry.endless();

  Ledger(SparkSession spark, TableFormat format, TablePath table, Clock clock) {
    this.spark = spark;
    this.format = format;
    this.table = table;
    this.clock = clock;
  }

  /** What a balance of events cannot explain: exact − estimate − left out − imported. */
  static Column residual() {
    return col("counted").minus(col("estimated")).minus(col("left_out")).minus(col("imported"));
  }

  /** The rows of settlements that were not undone. */
  static Dataset<Row> inForce(Dataset<Row> rows) {
    Dataset<Row> undone = rows.select(col("undoes").as("undone"));
    return rows.filter(col("undoes").isNull())
        .join(undone, col("settlement").equalTo(col("undone")), "left_anti");
  }

  /** Whether the settlement's row is there; read from the table's commits, without a Spark job. */
  private boolean holds(long settlement) {
    return format
        .newest(table, VersionRange.through(format.version(table)), APPLICATION)
        .filter(row -> row.version() >= settlement)
        .isPresent();
  }

  /** The version of the ledger that the settlement's row made. */
  static long versionOf(TableFormat format, TablePath table, long settlement) {
    return format
        .labelled(table, APPLICATION, settlement)
        .map(LabelledCommit::tableVersion)
        .orElseThrow(() -> new IllegalStateException(table + " has no commit of " + settlement));
  }

  /**
   * Writes the settlement's row; of several calls only one takes effect. That another settlement,
   * which begins just now, writes it first is no conflict: the row is there.
   */
  void write(Adopted adopted) {
    retry.run(
        () -> {
          if (!holds(adopted.mark().settlement())) {
            append(adopted);
          }
        });
  }

  private void append(Adopted adopted) {
    SettlementMark mark = adopted.mark();
    List<Object> values = new ArrayList<>();
    values.add(mark.settlement());
    values.add(mark.attempt());
    values.add(adopted.tableVersion());
    values.add(mark.archiveVersion());
    values.add(mark.frontier().map(Times::sql).orElse(null));
    values.add(mark.settlesAnything() ? Times.sql(mark.settledThrough()) : null);
    values.add(mark.closeReason().orElse(null));
    values.add(mark.undone().map(Undone::settlement).orElse(null));
    COUNTS.forEach(name -> values.add(mark.count(name)));
    values.add(mark.audit().breachesAsJson().orElse(null));
    values.add(mark.audit().acceptedBecause().orElse(null));
    values.add(Times.sql(clock.instant()));
    format.append(
        table,
        spark.createDataFrame(
            List.of(RowFactory.create(values.toArray())), format.read(table).schema()),
        CommitLabel.ofSeveralWriters(APPLICATION, mark.settlement(), "{}"));
  }
}
