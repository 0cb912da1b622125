package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.min;

import io.tidemark.merge.SettlementMark;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.tables.journal.Times;
import java.time.Instant;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** How far back a settlement has changed the aggregates, so what undoing it would change. */
public final class SettlementReach {

  private SettlementReach() {}

  /**
   * The rows of the table of corrections that a settlement adopted.
   *
   * @param corrections the whole table
   */
  static Dataset<Row> of(SettlementMark settlement, Dataset<Row> corrections) {
    return corrections
        .filter(col("settlement").equalTo(settlement.settlement()))
        .filter(col("attempt").equalTo(settlement.attempt()));
  }

  /**
   * The start of the earliest window that it settled or corrected. {@link Instant#MIN}: from the
   * first window on; {@link Instant#MAX}: of none.
   *
   * @param below the settlement below it; empty: there is none
   * @param corrections the whole table
   */
  public static Instant firstWindow(
      SettlementMark settlement,
      Optional<SettlementMark> below,
      Dataset<Row> corrections,
      PipelineSpec spec) {
    if (below.isEmpty()) {
      return Instant.MIN;
    }
    Instant boundary = below.get().settledThrough();
    Instant settled =
        settlement.settledThrough().isAfter(boundary)
            ? spec.window().firstStartOfEndAfter(boundary)
            : Instant.MAX;
    Row first = of(settlement, corrections).agg(min(AggregateColumns.WINDOW_START)).head();
    Instant corrected = first.isNullAt(0) ? Instant.MAX : Times.instant(first.get(0));
    return corrected.isBefore(settled) ? corrected : settled;
  }
}
