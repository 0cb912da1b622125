package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.timestamp_millis;
import static org.apache.spark.sql.functions.timestamp_seconds;
import static org.apache.spark.sql.functions.try_to_timestamp;
import static org.apache.spark.sql.functions.when;

import io.tidemark.spec.TimeColumn;
import io.tidemark.spec.TimeColumn.TimeFormat;
import java.time.Instant;
import org.apache.spark.sql.Column;

/**
 * Reads a time column of the event. What cannot be read is null, and so is a time outside the years
 * 1 to 9999: arithmetic on it could overflow and stop the stream.
 */
final class EventTimes {

  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private EventTimes() {}

  /**
   * The instant that the column holds, or null.
   *
   * @param event the struct that holds the event's columns
   */
  static Column read(TimeColumn time, Column event) {
    Column value = event.getField(time.column().value());
    TimeFormat format = time.format();
    Column instant;
    if (format instanceof TimeFormat.Timestamp) {
      instant = value;
    } else if (format instanceof TimeFormat.EpochMillis) {
      instant =
          when(
              value.between(FIRST.toEpochMilli(), LAST.toEpochMilli()),
              timestamp_millis(value.cast("bigint")));
    } else if (format instanceof TimeFormat.EpochSeconds) {
      instant =
          when(
              value.between(FIRST.getEpochSecond(), LAST.getEpochSecond()),
              timestamp_seconds(value));
    } else if (format instanceof TimeFormat.Pattern pattern) {
      instant = try_to_timestamp(value, lit(pattern.pattern()));
    } else {
      throw new IllegalStateException("unknown time format " + format);
    }
    return when(instant.between(lit(FIRST), lit(LAST)), instant);
  }
}
