package io.tidemark.tests.harness;

import java.time.Duration;
import java.time.Instant;

/** What arrives before each of two settlements, some of it late. */
public final class TwoNights {

  public static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  public static final Duration DAY = Duration.ofDays(1);

  private TwoNights() {}

  /** Keys A and B of the first day, A of the second, and A of the first again, late. */
  public static void arriveBeforeFirst(AlwaysOn stream) throws Exception {
    stream.arrive(Events.file("a", Events.at("e-1", "A", NOON), Events.at("e-2", "B", NOON)));
    stream.arrive(Events.file("b", Events.at("e-3", "A", NOON.plus(DAY))));
    stream.arrive(Events.file("c", Events.at("late", "A", NOON)));
  }

  /** Late for the first day, which is settled: A again, and a new key; and the third day. */
  public static void arriveBeforeSecond(AlwaysOn stream) throws Exception {
    Instant thirdDay = NOON.plus(DAY.multipliedBy(2));
    stream.arrive(
        Events.file(
            "d",
            Events.at("later", "A", NOON),
            Events.at("new", "C", NOON),
            Events.at("e-4", "A", thirdDay)));
    stream.arrive(Events.file("e", Events.at("e-5", "B", thirdDay)));
  }
}
