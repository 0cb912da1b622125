package io.tidemark.spec.parse;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.TimeColumn;
import io.tidemark.spec.TimeColumn.TimeFormat;
import java.util.Optional;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.TimestampType;

/** Reads {@code event.time} and its like: a column, or a column and its format. */
final class TimeColumnReader {

  private TimeColumnReader() {}

  /**
   * @param columns the event's; empty if they are not known, then nothing is checked against them
   */
  static Optional<TimeColumn> read(YamlValue value, Optional<Columns> columns) {
    if (!value.isMapping()) {
      return column(value, columns)
          .flatMap(field -> timeColumn(value, field, new TimeFormat.Timestamp()));
    }
    Optional<Section> section = value.section(KnownKeys.TIME_COLUMN);
    Optional<YamlValue> name = section.flatMap(s -> s.required("column", "column: <name>"));
    Optional<StructField> field = name.flatMap(n -> column(n, columns));
    Optional<TimeFormat> format =
        section
            .flatMap(s -> s.optional("format"))
            .map(TimeColumnReader::format)
            .orElse(Optional.of(new TimeFormat.Timestamp()));
    return field.flatMap(f -> format.flatMap(fmt -> timeColumn(value, f, fmt)));
  }

  private static Optional<StructField> column(YamlValue value, Optional<Columns> columns) {
    return columns.isPresent()
        ? columns.get().named(value)
        : value.text().flatMap(text -> Optional.empty());
  }

  private static Optional<TimeFormat> format(YamlValue value) {
    return value.text().flatMap(text -> format(value, text));
  }

  private static Optional<TimeFormat> format(YamlValue value, String text) {
    return switch (text) {
      case "epoch-millis" -> Optional.of(new TimeFormat.EpochMillis());
      case "epoch-seconds" -> Optional.of(new TimeFormat.EpochSeconds());
      default -> pattern(value, text);
    };
  }

  private static Optional<TimeFormat> pattern(YamlValue value, String pattern) {
    if (!DatetimePatterns.isValid(pattern)) {
      value.refuse(
          "'" + pattern + "' is not one of Spark's datetime patterns",
          "Write epoch-millis, epoch-seconds or a pattern, e.g. yyyy-MM-dd'T'HH:mm:ssXXX.");
      return Optional.empty();
    }
    return Optional.of(new TimeFormat.Pattern(pattern));
  }

  private static Optional<TimeColumn> timeColumn(
      YamlValue value, StructField field, TimeFormat format) {
    if (fits(field.dataType(), format)) {
      return Optional.of(new TimeColumn(new ColumnName(field.name()), format));
    }
    value.refuse(
        "column " + field.name() + " is " + field.dataType().sql() + ", not " + wanted(format),
        remedy(field));
    return Optional.empty();
  }

  private static boolean fits(DataType type, TimeFormat format) {
    if (format instanceof TimeFormat.Timestamp) {
      return type instanceof TimestampType;
    }
    if (format instanceof TimeFormat.EpochMillis) {
      return TypeRules.isIntegral(type);
    }
    return format instanceof TimeFormat.EpochSeconds
        ? type instanceof NumericType
        : TypeRules.isBinaryString(type);
  }

  private static String wanted(TimeFormat format) {
    if (format instanceof TimeFormat.Timestamp) {
      return "TIMESTAMP";
    }
    if (format instanceof TimeFormat.EpochMillis) {
      return "an integer, as epoch-millis needs";
    }
    return format instanceof TimeFormat.EpochSeconds
        ? "a number, as epoch-seconds needs"
        : "STRING, as a pattern needs";
  }

  /** What would do for a column of this type. */
  private static String remedy(StructField field) {
    DataType type = field.dataType();
    if (type instanceof TimestampType) {
      return "Leave the format out.";
    }
    if (type instanceof NumericType) {
      return "Write {column: " + field.name() + ", format: epoch-millis} or epoch-seconds.";
    }
    return TypeRules.isBinaryString(type)
        ? "Write {column: " + field.name() + ", format: <pattern>}, or make the column TIMESTAMP."
        : "Use a column that is TIMESTAMP, a number or STRING.";
  }
}
