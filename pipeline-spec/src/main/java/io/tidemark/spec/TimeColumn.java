package io.tidemark.spec;

/**
 * A column of the event that holds a time, and how to read it.
 *
 * @param column a column of the event's schema
 */
public record TimeColumn(ColumnName column, TimeFormat format) {

  /** How a column's value becomes an instant. */
  public sealed interface TimeFormat {

    /** The column is a TIMESTAMP. */
    record Timestamp() implements TimeFormat {}

    /** The column is an integer, milliseconds since 1970-01-01T00:00:00Z. */
    record EpochMillis() implements TimeFormat {}

    /** The column is a number, seconds since 1970-01-01T00:00:00Z. */
    record EpochSeconds() implements TimeFormat {}

    /**
     * The column is a STRING in a pattern of Spark's datetime patterns, read as UTC where the
     * pattern has no offset.
     */
    record Pattern(String pattern) implements TimeFormat {}
  }
}
