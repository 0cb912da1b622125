package io.tidemark.tables;

import org.apache.spark.sql.types.DataType;

/**
 * A column of a table.
 *
 * @param comment explains the column to an analyst who describes the table
 */
public record ColumnDefinition(
    String name, DataType type, Nullability nullability, String comment) {

  /** Whether the table refuses a null in the column. */
  public enum Nullability {
    REQUIRED,
    OPTIONAL
  }

  public static ColumnDefinition required(String name, DataType type, String comment) {
    return new ColumnDefinition(name, type, Nullability.REQUIRED, comment);
  }

  public static ColumnDefinition optional(String name, DataType type, String comment) {
    return new ColumnDefinition(name, type, Nullability.OPTIONAL, comment);
  }
}
