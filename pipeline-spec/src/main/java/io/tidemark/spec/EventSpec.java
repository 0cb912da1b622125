package io.tidemark.spec;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.StructType;

/**
 * What an event looks like and which of its columns say who it is and when it happened.
 *
 * @param schema the columns of a record, all nullable
 * @param id the columns that together identify an event; empty: its source position does
 * @param time when it happened
 * @param sourceTimestamp when the source wrote this version of it
 * @param arrival when the pipeline could first see it; empty: the file's modification time, or the
 *     record's timestamp
 * @param maxFutureSkew how far an event time may lie after the arrival (inclusive)
 * @param maxAge how far an event time may lie before the arrival (inclusive)
 */
public record EventSpec(
    StructType schema,
    List<ColumnName> id,
    TimeColumn time,
    Optional<TimeColumn> sourceTimestamp,
    Optional<TimeColumn> arrival,
    Duration maxFutureSkew,
    Duration maxAge) {

  public static final Duration DEFAULT_MAX_FUTURE_SKEW = Duration.ofMinutes(5);
  public static final Duration DEFAULT_MAX_AGE = Duration.ofDays(30);

  public EventSpec {
    id = List.copyOf(id);
    if (maxFutureSkew.isNegative()) {
      throw new IllegalArgumentException("max-future-skew is negative: " + maxFutureSkew);
    }
    if (maxAge.isNegative() || maxAge.isZero()) {
      throw new IllegalArgumentException("max-age is not positive: " + maxAge);
    }
  }

  /** How long after its end a window may still get an event that is neither future nor too old. */
  public Duration admissibleFor() {
    return maxAge.plus(maxFutureSkew);
  }
}
