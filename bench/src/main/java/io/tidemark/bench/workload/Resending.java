package io.tidemark.bench.workload;

import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Which events a sender sends again, and when: 1% about a minute later, 0.01% hours later. */
final class Resending {

  private static final double SOON = 0.01;
  private static final double HOURS_LATER = 0.0001;

  private Resending() {}

  /** How long after the first the copy arrives, in microseconds; empty: there is none. */
  static OptionalLong gapMicros(SplittableRandom random) {
    double part = random.nextDouble();
    if (part < SOON) {
      return OptionalLong.of(Lateness.exponential(random, Lateness.MINUTE));
    }
    return part < SOON + HOURS_LATER
        ? OptionalLong.of(random.nextLong(Lateness.HOUR, 48 * Lateness.HOUR + 1))
        : OptionalLong.empty();
  }
}
