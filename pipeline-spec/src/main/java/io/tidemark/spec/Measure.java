package io.tidemark.spec;

import java.util.Optional;
import org.apache.spark.sql.types.DataType;

/**
 * One number per window and key. Every expression is a deterministic Spark SQL expression over the
 * event's and the derived columns; {@code inputType} is its type.
 */
public sealed interface Measure {

  ColumnName name();

  /** Number of counted events; with an expression, of those where it is not null. */
  record Count(ColumnName name, Optional<String> expression) implements Measure {}

  /** Sum of the values that are not null; null where there is none. Integers and decimals widen. */
  record Sum(ColumnName name, String expression, DataType inputType) implements Measure {}

  record Min(ColumnName name, String expression, DataType inputType) implements Measure {}

  record Max(ColumnName name, String expression, DataType inputType) implements Measure {}

  /** Mean of the values that are not null, stored as their sum and their count. */
  record Avg(ColumnName name, String expression, DataType inputType) implements Measure {}

  /** Estimated number of distinct values, stored as a theta sketch that can be merged. */
  record ApproxDistinct(ColumnName name, String expression, DataType inputType)
      implements Measure {}
}
