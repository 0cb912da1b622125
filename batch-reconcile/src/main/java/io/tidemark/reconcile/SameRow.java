package io.tidemark.reconcile;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** When rows of two datasets are of the same window and key. */
final class SameRow {

  private SameRow() {}

  /** A condition to join by; null keys are one group. */
  static Column of(Dataset<Row> left, Dataset<Row> right, PipelineSpec spec) {
    Column same =
        left.col(AggregateColumns.WINDOW_START).equalTo(right.col(AggregateColumns.WINDOW_START));
    for (ColumnName key : AggregateColumns.keys(spec)) {
      same = same.and(left.col(key.quoted()).eqNullSafe(right.col(key.quoted())));
    }
    return same;
  }
}
