package io.tidemark.bench.workload;

import java.time.Duration;
import java.time.Instant;

/**
 * Which events there are. The same workload is the same bytes, whoever makes it and however its
 * files are cut.
 *
 * <p>Events are drawn by their arrival, evenly over the span; each happened its delay earlier. So
 * they are written in the order in which a source would deliver them, and the first late ones
 * happened before the span.
 *
 * @param seed of all that is random
 * @param events without copies
 * @param start of the span of arrivals
 * @param span of arrivals
 * @param window by which the oracle counts: tumbling, aligned to 1970-01-01T00:00:00Z
 * @param keys how many there are
 * @param skew Zipf's exponent; 0: all keys are alike
 * @param lateness how long events take to arrive
 * @param payloadCharacters of each event; 0: the field is left out
 */
public record Workload(
    long seed,
    long events,
    Instant start,
    Duration span,
    Duration window,
    int keys,
    double skew,
    Lateness lateness,
    int payloadCharacters) {

  private static final int MOST_KEYS = 10_000_000;

  public Workload {
    if (events < 1) {
      throw new IllegalArgumentException("events is below 1: " + events);
    }
    if (span.isNegative() || span.isZero()) {
      throw new IllegalArgumentException("span is not positive: " + span);
    }
    if (window.toMillis() < 1) {
      throw new IllegalArgumentException("window is below a millisecond: " + window);
    }
    if (keys < 1) {
      throw new IllegalArgumentException("keys is below 1: " + keys);
    }
    if (keys > MOST_KEYS) {
      throw new IllegalArgumentException("keys is above " + MOST_KEYS + ": " + keys);
    }
    if (skew < 0) {
      throw new IllegalArgumentException("skew is negative: " + skew);
    }
    if (payloadCharacters < 0) {
      throw new IllegalArgumentException("payloadCharacters is negative: " + payloadCharacters);
    }
  }
}
