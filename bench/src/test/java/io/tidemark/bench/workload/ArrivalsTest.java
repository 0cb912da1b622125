package io.tidemark.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Of three chunks, the last one short, over two days. */
class ArrivalsTest {

  private static final int EVENTS = 600_000;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final List<BenchEvent> ARRIVED = arrived(workload(20_260_101));

  private static Workload workload(long seed) {
    return new Workload(
        seed,
        EVENTS,
        START,
        Duration.ofDays(2),
        Duration.ofMinutes(1),
        50_000,
        1.0,
        Lateness.MOBILE,
        0);
  }

  private static List<BenchEvent> arrived(Workload workload) {
    List<BenchEvent> events = new ArrayList<>();
    new Arrivals(workload).forEachRemaining(events::add);
    return events;
  }

  private static List<BenchEvent> firsts() {
    return ARRIVED.stream().filter(event -> !event.copy()).toList();
  }

  @Test
  void allEventsArriveInOrderWithinTheSpan() {
    assertThat(firsts()).hasSize(EVENTS);
    assertThat(ARRIVED).isSortedAccordingTo(BenchEvent.BY_ARRIVAL);
    assertThat(ARRIVED.get(0).arrivalMicros()).isGreaterThanOrEqualTo(micros(START));
    assertThat(ARRIVED.get(ARRIVED.size() - 1).arrivalMicros())
        .isLessThan(micros(START.plus(Duration.ofDays(2))));
    assertThat(firsts().stream().map(BenchEvent::number).distinct().count()).isEqualTo(EVENTS);
  }

  private static long micros(Instant instant) {
    return instant.toEpochMilli() * 1_000;
  }

  @Test
  void aSeedMakesTheSameEventsAndAnotherOneOthers() {
    assertThat(arrived(workload(20_260_101))).isEqualTo(ARRIVED);
    assertThat(arrived(workload(20_260_102)).get(0).idHigh()).isNotEqualTo(ARRIVED.get(0).idHigh());
  }

  @Test
  void aCopyIsTheEventOnceMoreLater() {
    Map<Long, BenchEvent> first = new HashMap<>();
    Set<Long> copied = new HashSet<>();
    for (BenchEvent event : ARRIVED) {
      if (event.copy()) {
        BenchEvent original = first.get(event.number());
        assertThat(event).isEqualTo(original.sentAgain(event.arrivalMicros()));
        copied.add(event.number());
      } else {
        first.put(event.number(), event);
      }
    }
    assertThat(copied.size() / (double) EVENTS).isCloseTo(0.0101, within(0.0005));
  }

  @Test
  void fewEventsAreLateAndNoneFromTheFuture() {
    List<Long> delays =
        firsts().stream().map(event -> event.arrivalMicros() - event.eventMicros()).toList();

    assertThat(delays).allMatch(delay -> delay >= 0 && delay <= 7 * Lateness.DAY);
    assertThat(share(delays, 10 * Lateness.MINUTE)).isCloseTo(0.0103, within(0.0008));
    assertThat(share(delays, Lateness.DAY)).isCloseTo(0.001, within(0.0003));
    assertThat(share(delays, 2 * Lateness.SECOND))
        .as("94% × 1/e, and nearly all of the slow ones")
        .isCloseTo(0.94 * Math.exp(-1) + 0.06, within(0.003));
  }

  private static double share(List<Long> delays, long longerThan) {
    return delays.stream().filter(delay -> delay > longerThan).count() / (double) delays.size();
  }

  @Test
  void keysAreAsSkewAsZipfSays() {
    double harmonic = 0;
    for (int i = 1; i <= 50_000; i++) {
      harmonic += 1.0 / i;
    }
    double first = firsts().stream().filter(event -> event.key() == 0).count();
    double tenth = firsts().stream().filter(event -> event.key() == 9).count();

    assertThat(first / EVENTS).isCloseTo(1 / harmonic, within(0.003));
    assertThat(first / tenth).isCloseTo(10, within(1.0));
  }

  @Test
  void withoutSkewAllKeysAreAlike() {
    Workload even =
        new Workload(
            1,
            100_000,
            START,
            Duration.ofDays(1),
            Duration.ofMinutes(1),
            10,
            0,
            Lateness.scattered(0.05),
            8);
    List<BenchEvent> events = arrived(even);

    for (int key = 0; key < 10; key++) {
      int wanted = key;
      assertThat(events.stream().filter(event -> event.key() == wanted).count())
          .isBetween(9_500L, 10_700L);
    }
    assertThat(events).allMatch(event -> event.payload().matches("[A-Za-z0-9+/]{8}"));
    assertThat(
            share(
                events.stream()
                    .filter(event -> !event.copy())
                    .map(event -> event.arrivalMicros() - event.eventMicros())
                    .toList(),
                10 * Lateness.MINUTE))
        .isCloseTo(0.05, within(0.003));
  }
}
