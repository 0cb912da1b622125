package io.tidemark.spec.parse;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.error.NearestName;
import io.tidemark.spec.expression.Refusal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The columns that a part of the file may name. Case is ignored, as in Spark SQL.
 *
 * @param broken derived columns whose own problem has been reported; what names them is not checked
 */
record Columns(StructType type, Set<String> broken) {

  private static final String RESERVED_PREFIX = "_tidemark";

  Columns {
    broken = Set.copyOf(broken);
  }

  Columns(StructType type) {
    this(type, Set.of());
  }

  /** Why a column may not have this name. */
  static Optional<Refusal> refusedName(String name) {
    if (!ColumnName.isValid(name)) {
      return Optional.of(
          new Refusal(
              "'" + name + "' is not a letter or _ followed by letters, digits or _",
              "Give the column a plain name."));
    }
    if (name.equalsIgnoreCase("_metadata")) {
      return Optional.of(
          new Refusal(
              "'" + name + "' is the name of Spark's column of file metadata",
              "Rename the column."));
    }
    return name.regionMatches(true, 0, RESERVED_PREFIX, 0, RESERVED_PREFIX.length())
        ? Optional.of(
            new Refusal(
                "'" + name + "' begins with " + RESERVED_PREFIX + ", as Tidemark's own columns do",
                "Rename the column."))
        : Optional.empty();
  }

  Columns with(ColumnName name, DataType dataType) {
    return new Columns(type.add(name.value(), dataType), broken);
  }

  Columns withBroken(String name) {
    return new Columns(
        type, Stream.concat(broken.stream(), Stream.of(name)).collect(Collectors.toSet()));
  }

  boolean isOrMentionsBroken(String text) {
    return broken.stream()
        .anyMatch(
            name -> Pattern.compile("(?i)\\b" + Pattern.quote(name) + "\\b").matcher(text).find());
  }

  boolean has(String name) {
    return find(name).isPresent();
  }

  Optional<StructField> find(String name) {
    return Arrays.stream(type.fields())
        .filter(field -> field.name().equalsIgnoreCase(name))
        .findFirst();
  }

  /** The column that the value names; where there is none that is reported. */
  Optional<StructField> named(YamlValue value) {
    return value.text().flatMap(name -> named(name, value));
  }

  /**
   * The column of this name; where there is none that is reported.
   *
   * @param value whose problem that is
   */
  Optional<StructField> named(String name, YamlValue value) {
    Optional<StructField> field = find(name);
    if (field.isEmpty() && !isOrMentionsBroken(name)) {
      value.refuse(
          "'" + name + "' is not a column",
          NearestName.remedy(name, "Known columns", List.of(type.fieldNames())));
    }
    return field;
  }
}
