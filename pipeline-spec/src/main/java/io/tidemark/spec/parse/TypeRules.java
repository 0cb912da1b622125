package io.tidemark.spec.parse;

import io.tidemark.spec.expression.Refusal;
import java.util.Optional;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.VariantType;

/** Which types fit which use. */
final class TypeRules {

  /** Spark's sum of DECIMAL(p, s) is a DECIMAL(p + 10, s), of at most 38 digits. */
  static final int MAX_SUMMED_PRECISION = 28;

  private TypeRules() {}

  static Optional<Refusal> key(DataType type) {
    if (type instanceof BinaryType) {
      return Optional.of(
          new Refusal(
              "is BINARY, but a row is named by its keys in reports and on the command line",
              "Derive a text from it, e.g. hex(column), and use that."));
    }
    return isPlain(type)
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                "is " + type.sql() + ", whose values cannot be grouped and ordered one by one",
                "Derive a number, text, date, timestamp or boolean from it, and use that."));
  }

  static Optional<Refusal> id(DataType type) {
    return isPlain(type) || type instanceof BinaryType
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                "is " + type.sql() + ", whose values cannot be compared one by one",
                "Use columns that are numbers, texts, dates, timestamps, booleans or BINARY."));
  }

  static Optional<Refusal> minMax(DataType type) {
    return isPlain(type)
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                "is " + type.sql() + ", which has no smallest and largest value",
                "Use a number, text, date, timestamp or boolean."));
  }

  static Optional<Refusal> sum(DataType type) {
    if (type instanceof DecimalType decimal && decimal.precision() > MAX_SUMMED_PRECISION) {
      return Optional.of(
          new Refusal(
              "is " + type.sql() + ", whose sum may need more than 38 digits",
              "Cast it to DECIMAL(%d,%d)."
                  .formatted(
                      MAX_SUMMED_PRECISION, Math.min(decimal.scale(), MAX_SUMMED_PRECISION))));
    }
    return type instanceof NumericType
        ? Optional.empty()
        : Optional.of(new Refusal("is " + type.sql() + ", not a number", "Cast it with try_cast."));
  }

  /** Whether a sum depends on the order of addition. */
  static boolean isFloatingPoint(DataType type) {
    return type instanceof DoubleType || type instanceof FloatType;
  }

  /** What Spark's theta_sketch_agg takes. */
  static Optional<Refusal> approxDistinct(DataType type) {
    boolean fits =
        isBinaryString(type)
            || isFloatingPoint(type)
            || isIntOrLong(type)
            || type instanceof BinaryType
            || (type instanceof ArrayType array && isIntOrLong(array.elementType()));
    return fits
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                "is " + type.sql() + ", which the sketch does not take",
                "Cast it to STRING, or to BIGINT if it is an integer."));
  }

  static boolean isIntegral(DataType type) {
    return isIntOrLong(type) || type.equals(DataTypes.ShortType) || type.equals(DataTypes.ByteType);
  }

  /** One value that is compared byte by byte: no collations, by which unlike texts are equal. */
  static boolean isPlain(DataType type) {
    return type instanceof NumericType
        || type instanceof BooleanType
        || type instanceof DateType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType
        || isBinaryString(type);
  }

  static boolean isBinaryString(DataType type) {
    return type.equals(DataTypes.StringType);
  }

  private static boolean isIntOrLong(DataType type) {
    return type instanceof IntegerType || type instanceof LongType;
  }

  /** Whether a table can hold a column of this type. */
  static boolean isStorable(DataType type) {
    return !type.existsRecursively(part -> !isKnownPart(part));
  }

  private static boolean isKnownPart(DataType part) {
    return isPlain(part)
        || part instanceof BinaryType
        || part instanceof ArrayType
        || part instanceof MapType
        || part instanceof StructType
        || part instanceof VariantType
        || part instanceof StringType;
  }
}
