package io.tidemark.spec.computation;

import io.tidemark.spec.ColumnName;
import org.apache.spark.sql.types.DataType;

/**
 * A column in which the aggregates table keeps a measure, or a part of one.
 *
 * @param comment says to an analyst what the column holds
 */
public record StoredColumn(ColumnName name, DataType type, Comparison comparison, String comment) {

  /** How two values of the column are compared. */
  public enum Comparison {
    EXACT,
    /**
     * A sum of floating-point numbers depends on the order of its terms: two values are equal when
     * they differ by at most {@link #FLOATING_TOLERANCE} of the larger.
     */
    FLOATING
  }

  public static final double FLOATING_TOLERANCE = 1e-9;
}
