package io.tidemark.bench.workload;

import java.util.SplittableRandom;

/** How long an event takes from happening to arriving. */
@FunctionalInterface
public interface Lateness {

  /** A delay in microseconds, not negative. */
  long delayMicros(SplittableRandom random);

  long SECOND = 1_000_000;
  long MINUTE = 60 * SECOND;
  long HOUR = 60 * MINUTE;
  long DAY = 24 * HOUR;

  /**
   * Phones and the like: 94% are with us after 2 s on average, 5% after half a minute (median) in a
   * poor network, 0.9% between 10 minutes and a day later, 0.1% between a day and a week.
   */
  Lateness MOBILE =
      random -> {
        double part = random.nextDouble();
        if (part < 0.94) {
          return exponential(random, 2 * SECOND);
        } else if (part < 0.99) {
          return logNormal(random, 30 * SECOND, 1.2);
        }
        return part < 0.999
            ? logUniform(random, 10 * MINUTE, DAY)
            : random.nextLong(DAY, 7 * DAY + 1);
      };

  /** The same senders without what a watermark of 10 minutes would leave out. */
  Lateness IN_TIME =
      random ->
          Math.min(
              9 * MINUTE,
              random.nextDouble() < 0.95
                  ? exponential(random, 2 * SECOND)
                  : logNormal(random, 30 * SECOND, 1.2));

  /**
   * A share is late and recent, between 10 minutes and a day with ever fewer the later; the others
   * take 2 s on average.
   *
   * @param share from 0 to 1
   */
  static Lateness recent(double share) {
    return mixed(share, random -> logUniform(random, 10 * MINUTE, DAY));
  }

  /**
   * A share is late, evenly over a week; the others take 2 s on average.
   *
   * @param share from 0 to 1
   */
  static Lateness scattered(double share) {
    return mixed(share, random -> random.nextLong(10 * MINUTE, 7 * DAY + 1));
  }

  private static Lateness mixed(double share, Lateness late) {
    if (share < 0 || share > 1) {
      throw new IllegalArgumentException("share is not between 0 and 1: " + share);
    }
    return random ->
        random.nextDouble() < share ? late.delayMicros(random) : exponential(random, 2 * SECOND);
  }

  /** An exponential delay, by inversion: −mean · ln(1 − u). */
  static long exponential(SplittableRandom random, long meanMicros) {
    return (long) (-meanMicros * Math.log1p(-random.nextDouble()));
  }

  private static long logNormal(SplittableRandom random, long medianMicros, double sigma) {
    return (long) (medianMicros * Math.exp(sigma * random.nextGaussian()));
  }

  private static long logUniform(SplittableRandom random, long from, long to) {
    return (long) (from * Math.exp(random.nextDouble() * Math.log((double) to / from)));
  }
}
