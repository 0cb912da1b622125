package io.tidemark.spec;

import java.util.regex.Pattern;

/** A column's name: a plain identifier, so that quoting it can never change what it means. */
public record ColumnName(String value) implements Comparable<ColumnName> {

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  public ColumnName {
    if (!isValid(value)) {
      throw new IllegalArgumentException(
          "column name '" + value + "' is not a letter or _ followed by letters, digits or _");
    }
  }

  public static boolean isValid(String value) {
    return IDENTIFIER.matcher(value).matches();
  }

  /** The name in backticks, for SQL text. */
  public String quoted() {
    return "`" + value + "`";
  }

  @Override
  public int compareTo(ColumnName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
