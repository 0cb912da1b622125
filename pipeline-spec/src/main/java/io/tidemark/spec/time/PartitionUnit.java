package io.tidemark.spec.time;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * What one partition of the aggregates spans, in UTC.
 *
 * <p>A row lies in the partition of {@code window_end − 1 µs}, so that every window that ends after
 * a boundary lies in a later partition than those that end at or before it: the hopping window
 * [23:55, 00:05) lies in the second day, [23:50, 00:00) in the first.
 */
public enum PartitionUnit {
  DAY("window_date", ChronoUnit.DAYS),
  HOUR("window_hour", ChronoUnit.HOURS);

  private final String columnName;
  private final ChronoUnit unit;

  PartitionUnit(String columnName, ChronoUnit unit) {
    this.columnName = columnName;
    this.unit = unit;
  }

  public String columnName() {
    return columnName;
  }

  public Duration length() {
    return unit.getDuration();
  }

  /** A partition's value in {@link #columnName}: a date or an instant. */
  public Object columnValue(Instant start) {
    return switch (this) {
      case DAY -> start.atZone(ZoneOffset.UTC).toLocalDate();
      case HOUR -> start;
    };
  }

  /** The latest boundary at or before the instant. */
  public Instant floor(Instant instant) {
    return instant.truncatedTo(unit);
  }

  /** The start of the partition that holds windows with this end. */
  public Instant partitionOf(Instant windowEnd) {
    return floor(windowEnd.minus(1, ChronoUnit.MICROS));
  }
}
