package io.tidemark.reconcile;

import io.tidemark.spec.Watermark;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What watermarks of growing delay would have left out.
 *
 * @param memberships (event, window) pairs, of which each rung left out some
 * @param rungs by ascending delay
 */
public record DelayLadder(long memberships, List<Rung> rungs) {

  private static final List<Duration> DELAYS =
      List.of(
          Duration.ZERO,
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofMinutes(30),
          Duration.ofHours(1),
          Duration.ofHours(3),
          Duration.ofHours(6),
          Duration.ofHours(12),
          Duration.ofDays(1));

  public DelayLadder {
    if (memberships < 1) {
      throw new IllegalArgumentException("a ladder over " + memberships + " memberships");
    }
    rungs = List.copyOf(rungs);
  }

  /** One watermark delay, and how many memberships it would have left out. */
  public record Rung(Duration delay, long leftOut) {}

  /** The delays to try, the current one among them. */
  static List<Duration> delays(Watermark current) {
    return Stream.concat(DELAYS.stream(), Stream.of(current.delay())).distinct().sorted().toList();
  }

  /** From 0 to 1. */
  public double share(Rung rung) {
    return (double) rung.leftOut() / memberships;
  }

  /**
   * The shortest delay that leaves out no more than a share; empty if even the longest does.
   *
   * @param mostLeftOut from 0 to 1
   */
  public Optional<Rung> shortest(double mostLeftOut) {
    return rungs.stream().filter(rung -> share(rung) <= mostLeftOut).findFirst();
  }
}
