package io.tidemark.tests.oracle;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a readable line says; any of it may be missing. Times are whole milliseconds.
 *
 * @param happenedAt the event time
 * @param arrivedAt the arrival time
 */
public record Event(
    @Nullable String id,
    @Nullable String key,
    @Nullable Instant happenedAt,
    @Nullable Instant arrivedAt,
    @Nullable Long value) {

  public Event withKey(@Nullable String otherKey) {
    return new Event(id, otherKey, happenedAt, arrivedAt, value);
  }

  public Event withValue(@Nullable Long otherValue) {
    return new Event(id, key, happenedAt, arrivedAt, otherValue);
  }

  public Event withArrival(@Nullable Instant otherArrival) {
    return new Event(id, key, happenedAt, otherArrival, value);
  }
}
