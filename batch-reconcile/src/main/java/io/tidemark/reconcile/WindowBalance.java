package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.min_by;
import static org.apache.spark.sql.functions.sum;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.Aggregation;
import io.tidemark.tables.journal.Times;
import java.time.Instant;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Whether each settled window's exact count is its estimate, what the stream left out and what was
 * imported past it. They have nothing in common: the exact count comes from the recount, the
 * estimate from the first correction or, where there is none, the table, and what was left out from
 * the stream's own steps.
 *
 * @param windows how many settled windows there are
 * @param unexplained how many of them have a residual
 * @param examples some of these, the earliest first
 */
public record WindowBalance(long windows, long unexplained, List<Residual> examples) {

  private static final int EXAMPLES = 20;

  private static final String ESTIMATED = "estimated";
  private static final String COUNTED = "counted";
  private static final String RESIDUAL = "residual";

  /** Beside the keys, which may have any name of the others. */
  private static final String FIRST_BEFORE = "_tidemark_first_before";

  public WindowBalance {
    examples = List.copyOf(examples);
  }

  /**
   * A window whose balance does not close.
   *
   * @param residual exact − estimate − left out − imported
   */
  public record Residual(
      Instant windowStart,
      Instant windowEnd,
      long exact,
      long estimate,
      long leftOut,
      long imported,
      long residual) {}

  /**
   * Reads the balance.
   *
   * @param classified all settled rows, of a recount for which no ledger has counted anything
   * @param corrections rows of the view of corrections, of the settlements in force
   */
  static WindowBalance of(Dataset<Row> classified, Dataset<Row> corrections, PipelineSpec spec) {
    Dataset<Row> byWindow = byWindow(byRow(classified, corrections, spec));
    Row totals = byWindow.agg(count(lit(1)), count_if(col(RESIDUAL).notEqual(0))).head();
    List<Row> found =
        totals.getLong(1) == 0
            ? List.of()
            : byWindow
                .filter(col(RESIDUAL).notEqual(0))
                .orderBy(AggregateColumns.WINDOW_START)
                .limit(EXAMPLES)
                .collectAsList();
    return new WindowBalance(
        totals.getLong(0), totals.getLong(1), found.stream().map(WindowBalance::residual).toList());
  }

  private static Residual residual(Row row) {
    return new Residual(
        Times.instant(row.get(0)),
        Times.instant(row.get(1)),
        row.getLong(2),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6));
  }

  private static Dataset<Row> byRow(
      Dataset<Row> classified, Dataset<Row> corrections, PipelineSpec spec) {
    Dataset<Row> first =
        corrections
            .groupBy(
                AggregateColumns.identity(spec).stream()
                    .map(name -> col(name.quoted()))
                    .toArray(Column[]::new))
            .agg(
                min_by(Classification.events(Classification.BEFORE), col("settlement"))
                    .as(FIRST_BEFORE));
    return classified
        .join(first, SameRow.of(classified, first, spec), "full_outer")
        .select(
            coalesce(
                    classified.col(AggregateColumns.WINDOW_START),
                    first.col(AggregateColumns.WINDOW_START))
                .as(AggregateColumns.WINDOW_START),
            coalesce(
                    classified.col(AggregateColumns.WINDOW_END),
                    first.col(AggregateColumns.WINDOW_END))
                .as(AggregateColumns.WINDOW_END),
            Classification.events(Classification.AFTER).as(COUNTED),
            coalesce(col(FIRST_BEFORE), Classification.events(Classification.BEFORE)).as(ESTIMATED),
            coalesce(col(Aggregation.LEFT_OUT), lit(0L)).as(Aggregation.LEFT_OUT),
            coalesce(col(Aggregation.IMPORTED), lit(0L)).as(Aggregation.IMPORTED));
  }

  private static Dataset<Row> byWindow(Dataset<Row> rows) {
    return rows.groupBy(AggregateColumns.WINDOW_START, AggregateColumns.WINDOW_END)
        .agg(
            sum(COUNTED).as(COUNTED),
            sum(ESTIMATED).as(ESTIMATED),
            sum(Aggregation.LEFT_OUT).as(Aggregation.LEFT_OUT),
            sum(Aggregation.IMPORTED).as(Aggregation.IMPORTED))
        .withColumn(RESIDUAL, Ledger.residual());
  }
}
