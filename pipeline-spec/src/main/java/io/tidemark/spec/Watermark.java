package io.tidemark.spec;

import java.time.Duration;

/**
 * How long the stream waits.
 *
 * @param bound how late events normally come
 * @param allowedLateness how much later a row may still be updated by the stream
 */
public record Watermark(Duration bound, Duration allowedLateness) {

  /** Longer than event times are apart: with it, a watermark stays where it starts, at 1970. */
  static final Duration LONGEST_DELAY = Duration.ofDays(365_000);

  public Watermark {
    if (bound.isNegative()) {
      throw new IllegalArgumentException("watermark bound is negative: " + bound);
    }
    if (allowedLateness.isNegative()) {
      throw new IllegalArgumentException("allowed-lateness is negative: " + allowedLateness);
    }
  }

  /** The watermark's delay behind the latest event time seen: bound + allowed lateness. */
  public Duration delay() {
    return bound.plus(allowedLateness);
  }

  /**
   * One with another delay and, as far as that goes, the same bound: what is on time stays as it
   * is.
   */
  public Watermark withDelay(Duration delay) {
    Duration kept = bound.compareTo(delay) <= 0 ? bound : delay;
    return new Watermark(kept, delay.minus(kept));
  }
}
