package io.tidemark.tests.oracle;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/**
 * How much arrives, when, and how strange it is.
 *
 * @param start when the first batch begins to arrive
 * @param interval from the start of one batch to the start of the next
 * @param limits of the pipeline that reads it
 * @param shares the probability of each oddity; those absent do not occur
 */
public record Traffic(
    Instant start,
    int batches,
    int recordsPerBatch,
    Duration interval,
    Limits limits,
    Map<Oddity, Double> shares) {

  public Traffic {
    shares = Map.copyOf(shares);
    double sum = shares.values().stream().mapToDouble(Double::doubleValue).sum();
    if (sum > 1) {
      throw new IllegalArgumentException("the shares sum to " + sum + ", which is more than 1");
    }
  }

  /**
   * A batch a minute in which every oddity occurs; one record in five has one. Events may be 30
   * days old and 30 s ahead, so little that a watermark of a minute or more survives it.
   */
  public static Traffic usual(Instant start, int batches, int recordsPerBatch) {
    Map<Oddity, Double> shares = new EnumMap<>(Oddity.class);
    for (Oddity oddity : Oddity.values()) {
      shares.put(oddity, 0.005);
    }
    shares.put(Oddity.LATE_BY_MINUTES, 0.08);
    shares.put(Oddity.LATE_BY_DAYS, 0.01);
    shares.put(Oddity.EXACT_COPY, 0.05);
    shares.put(Oddity.UNLIKE_COPY, 0.01);
    return new Traffic(
        start,
        batches,
        recordsPerBatch,
        Duration.ofMinutes(1),
        new Limits(Duration.ofSeconds(30), Duration.ofDays(30)),
        shares);
  }

  public Traffic with(Oddity oddity, double share) {
    Map<Oddity, Double> changed = new EnumMap<>(Oddity.class);
    changed.putAll(shares);
    changed.put(oddity, share);
    return new Traffic(start, batches, recordsPerBatch, interval, limits, changed);
  }
}
