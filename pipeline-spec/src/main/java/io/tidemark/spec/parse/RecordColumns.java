package io.tidemark.spec.parse;

import io.tidemark.spec.RecordPart;
import io.tidemark.spec.Source;
import java.util.Optional;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/** Whether {@code source.columns} names columns of the event, of types that can hold the parts. */
final class RecordColumns {

  private RecordColumns() {}

  static void check(Source.Kafka source, YamlValue section, Columns event) {
    section
        .mappingValue("columns")
        .flatMap(YamlValue::namedValues)
        .ifPresent(
            named ->
                named.forEach(
                    (name, value) -> {
                      Optional<StructField> field = event.named(name, value);
                      field.ifPresent(column -> check(source, column, value));
                    }));
  }

  private static void check(Source.Kafka source, StructField column, YamlValue value) {
    RecordPart part = source.part(column.name()).orElse(null);
    if (part == null) {
      return; // It has been refused.
    }
    DataType type = column.dataType();
    boolean fits =
        part instanceof RecordPart.Timestamp
            ? type.equals(DataTypes.TimestampType)
            : type.equals(DataTypes.StringType) || type.equals(DataTypes.BinaryType);
    if (!fits) {
      value.refuse(
          "column " + column.name() + " is " + type.sql() + ", which cannot hold it",
          part instanceof RecordPart.Timestamp
              ? "Make it TIMESTAMP."
              : "Make it STRING (UTF-8) or BINARY, and cast it with derive.");
    }
  }
}
