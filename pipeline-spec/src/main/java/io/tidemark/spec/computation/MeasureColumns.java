package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.theta_sketch_agg;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.Measure;
import io.tidemark.spec.computation.StoredColumn.Comparison;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;

/**
 * How each kind of measure is computed, stored, shown and rolled up: all that depends on the kind
 * stands here.
 */
public final class MeasureColumns {

  /**
   * One part of a measure.
   *
   * @param aggregate over the measure's input column
   * @param rollUp an SQL aggregate that makes one value of the stored ones of several windows
   */
  private record Part(StoredColumn column, Column aggregate, String rollUp) {}

  private MeasureColumns() {}

  /** The columns that keep the measure, in the order of {@link #aggregates}. */
  public static List<StoredColumn> stored(Measure measure) {
    return parts(measure, lit(null)).stream().map(Part::column).toList();
  }

  /** The expression whose value per event is the measure's input; empty for a count of events. */
  static Optional<String> input(Measure measure) {
    if (measure instanceof Measure.Count m) {
      return m.expression();
    } else if (measure instanceof Measure.Sum m) {
      return Optional.of(m.expression());
    } else if (measure instanceof Measure.Min m) {
      return Optional.of(m.expression());
    } else if (measure instanceof Measure.Max m) {
      return Optional.of(m.expression());
    } else if (measure instanceof Measure.Avg m) {
      return Optional.of(m.expression());
    } else if (measure instanceof Measure.ApproxDistinct m) {
      return Optional.of(m.expression());
    }
    throw unknown(measure);
  }

  /**
   * The aggregates over the measure's input, one for each stored column.
   *
   * @param input the measure's input column; not read for a count of events
   */
  static List<Column> aggregates(Measure measure, Column input) {
    return parts(measure, input).stream()
        .map(part -> part.aggregate().cast(part.column().type()).as(part.column().name().value()))
        .toList();
  }

  /** SQL over the stored columns that gives the value people see. */
  public static String shown(Measure measure) {
    List<StoredColumn> columns = stored(measure);
    return shown(measure, columns.stream().map(column -> column.name().quoted()).toList());
  }

  /** The same where the stored columns are fields of a struct. */
  public static String shown(Measure measure, String struct) {
    return shown(
        measure,
        stored(measure).stream().map(column -> struct + "." + column.name().quoted()).toList());
  }

  /** SQL over the stored columns of several windows that gives the value people see. */
  public static String rolledUp(Measure measure) {
    return shown(measure, parts(measure, lit(null)).stream().map(Part::rollUp).toList());
  }

  private static String shown(Measure measure, List<String> values) {
    if (measure instanceof Measure.Avg) {
      return "CAST(%s AS DOUBLE) / nullif(%s, 0)".formatted(values.get(0), values.get(1));
    } else if (measure instanceof Measure.ApproxDistinct) {
      return "coalesce(theta_sketch_estimate(%s), 0)".formatted(values.get(0));
    }
    return values.get(0);
  }

  private static List<Part> parts(Measure measure, Column input) {
    ColumnName name = measure.name();
    if (measure instanceof Measure.Count m) {
      return m.expression()
          .map(e -> countPart(name, input, "Number of events where " + e + " is not null"))
          .map(List::of)
          .orElseGet(() -> List.of(countPart(name, lit(1), "Number of events")));
    } else if (measure instanceof Measure.Sum m) {
      return List.of(sumPart(name, input, m.inputType(), "Sum of " + m.expression()));
    } else if (measure instanceof Measure.Min m) {
      return List.of(
          part(name, m.inputType(), "Smallest " + m.expression(), min(input), "min(%s)"));
    } else if (measure instanceof Measure.Max m) {
      return List.of(part(name, m.inputType(), "Largest " + m.expression(), max(input), "max(%s)"));
    } else if (measure instanceof Measure.Avg m) {
      String what = "the mean of " + m.expression();
      return List.of(
          sumPart(suffixed(name, "_sum"), input, m.inputType(), "Numerator of " + what),
          countPart(suffixed(name, "_count"), input, "Denominator of " + what));
    } else if (measure instanceof Measure.ApproxDistinct m) {
      return List.of(
          part(
              suffixed(name, "_sketch"),
              DataTypes.BinaryType,
              "Theta sketch of the distinct values of " + m.expression(),
              theta_sketch_agg(input),
              "theta_union_agg(%s)"));
    }
    throw unknown(measure);
  }

  private static Part countPart(ColumnName name, Column input, String comment) {
    return part(name, DataTypes.LongType, comment, count(input), "sum(%s)");
  }

  /**
   * Sums widen so that they cannot overflow: whole numbers below BIGINT to BIGINT, BIGINT to
   * DECIMAL(30, 0), decimals by ten digits, enough for 10^10 terms.
   */
  private static Part sumPart(ColumnName name, Column input, DataType inputType, String comment) {
    if (inputType instanceof DecimalType decimal) {
      DataType type =
          DataTypes.createDecimalType(Math.min(38, decimal.precision() + 10), decimal.scale());
      return part(name, type, comment, sum(input), "sum(%s)");
    } else if (inputType.equals(DataTypes.LongType)) {
      return part(
          name,
          DataTypes.createDecimalType(30, 0),
          comment,
          sum(input.cast(DataTypes.createDecimalType(20, 0))),
          "sum(%s)");
    } else if (inputType.equals(DataTypes.FloatType) || inputType.equals(DataTypes.DoubleType)) {
      Column terms = sum(input.cast(DataTypes.DoubleType));
      return new Part(
          new StoredColumn(name, DataTypes.DoubleType, Comparison.FLOATING, comment),
          terms,
          "sum(%s)".formatted(name.quoted()));
    }
    return part(name, DataTypes.LongType, comment, sum(input), "sum(%s)");
  }

  private static Part part(
      ColumnName name, DataType type, String comment, Column aggregate, String rollUp) {
    return new Part(
        new StoredColumn(name, type, Comparison.EXACT, comment),
        aggregate,
        rollUp.formatted(name.quoted()));
  }

  private static ColumnName suffixed(ColumnName name, String suffix) {
    return new ColumnName(name.value() + suffix);
  }

  private static IllegalStateException unknown(Measure measure) {
    return new IllegalStateException("unknown measure " + measure);
  }
}
