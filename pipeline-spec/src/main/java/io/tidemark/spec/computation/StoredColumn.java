package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.abs;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.greatest;
import static org.apache.spark.sql.functions.lit;

import io.tidemark.spec.ColumnName;
import org.apache.spark.sql.Column;
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

  /** Whether two floating-point values are equal, as {@link Comparison#FLOATING} has it. */
  public static Column closeTo(Column one, Column other) {
    Column distance = abs(one.minus(other));
    Column tolerated = greatest(abs(one), abs(other)).multiply(FLOATING_TOLERANCE);
    // Spark holds NaN for equal to itself and larger than all else, infinity included.
    Column finite = distance.lt(lit(Double.POSITIVE_INFINITY));
    return one.eqNullSafe(other).or(coalesce(finite.and(distance.leq(tolerated)), lit(false)));
  }
}
