package io.tidemark.spec.parse;

import io.tidemark.spec.FileFormat;
import io.tidemark.spec.expression.SparkMessage;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VarcharType;
import org.apache.spark.sql.types.VariantType;

/** Reads {@code event.schema}, columns as in CREATE TABLE. */
final class SchemaReader {

  private final YamlValue value;
  private final Optional<FileFormat> format;

  private SchemaReader(YamlValue value, Optional<FileFormat> format) {
    this.value = value;
    this.format = format;
  }

  /**
   * @param format of the source, if it is known
   */
  static Optional<Columns> read(YamlValue value, Optional<FileFormat> format) {
    return value.text().flatMap(ddl -> new SchemaReader(value, format).parse(ddl));
  }

  private Optional<Columns> parse(String ddl) {
    StructType schema;
    try {
      schema = StructType.fromDDL(ddl);
    } catch (Exception e) { // Spark's ParseException is checked, but not declared.
      value.refuse(
          "is not a list of columns: " + SparkMessage.firstLine(e),
          "Write it as in CREATE TABLE, e.g. id STRING, at TIMESTAMP, amount BIGINT.");
      return Optional.empty();
    }
    Set<String> seen = new HashSet<>();
    boolean good = true;
    for (StructField field : schema.fields()) {
      good &= isGoodColumn(field);
      if (!seen.add(field.name().toLowerCase(Locale.ROOT))) {
        value.refuse(
            "has two columns " + field.name() + " (case is ignored)", "Remove or rename one.");
        good = false;
      }
    }
    return good ? Optional.of(new Columns(schema)) : Optional.empty();
  }

  private boolean isGoodColumn(StructField field) {
    Columns.refusedName(field.name()).ifPresent(value::refuse);
    String column = "column " + field.name();
    if (hasRequiredPart(field)) {
      value.refuse(
          column + " is NOT NULL, but a record is taken as it comes",
          "Leave NOT NULL out; put a condition into the filter.");
      return false;
    }
    if (field.dataType() instanceof CharType || field.dataType() instanceof VarcharType) {
      value.refuse(column + " is " + field.dataType().sql(), "Make it STRING.");
      return false;
    }
    if (!TypeRules.isStorable(field.dataType())) {
      value.refuse(
          column + " is " + field.dataType().sql() + ", which a table cannot hold",
          "Make it STRING, or a number.");
      return false;
    }
    if (format.equals(Optional.of(FileFormat.CSV)) && !fitsCsv(field.dataType())) {
      value.refuse(
          column + " is " + field.dataType().sql() + ", which CSV cannot hold", "Make it STRING.");
      return false;
    }
    return Columns.refusedName(field.name()).isEmpty();
  }

  private static boolean hasRequiredPart(StructField field) {
    return !field.nullable() || field.dataType().existsRecursively(part -> containsRequired(part));
  }

  private static boolean containsRequired(DataType part) {
    if (!(part instanceof StructType struct)) {
      return false;
    }
    for (StructField field : struct.fields()) {
      if (!field.nullable()) {
        return true;
      }
    }
    return false;
  }

  private static boolean fitsCsv(DataType type) {
    return !(type instanceof StructType
        || type instanceof ArrayType
        || type instanceof MapType
        || type instanceof VariantType
        || type instanceof BinaryType);
  }
}
