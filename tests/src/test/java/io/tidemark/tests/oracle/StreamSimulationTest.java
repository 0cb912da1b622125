package io.tidemark.tests.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the stream leaves out, by hand: windows of a minute, a watermark one minute behind. */
class StreamSimulationTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Group AT_NOON = new Group(NOON, "A");
  private static final Rules RULES =
      Rules.countingAll(
          new Limits(Duration.ofMinutes(5), Duration.ofDays(30)),
          Windows.tumbling(Duration.ofMinutes(1)));
  private static final StreamSimulation STREAM =
      new StreamSimulation(RULES, Duration.ofMinutes(1), LatenessRule.BY_ALL_EARLIER_BATCHES);

  @Test
  void watermarkStandsStillWithinABatch() {
    // 12:30 comes first, but both are in one batch.
    var estimate = STREAM.estimate(List.of(List.of(seen("e1", 30 * 60), seen("e2", 0))));

    assertThat(estimate.leftOut()).isEmpty();
    assertThat(estimate.rows()).containsKey(AT_NOON);
  }

  @Test
  void windowThatEndsAtTheWatermarkIsClosed() {
    // 12:02:00 − 1 min = 12:01:00, the end of [12:00, 12:01).
    var closed = STREAM.estimate(List.of(List.of(seen("e1", 120)), List.of(seen("e2", 59))));
    // 12:01:59 − 1 min = 12:00:59.
    var open = STREAM.estimate(List.of(List.of(seen("e1", 119)), List.of(seen("e2", 59))));

    assertThat(closed.leftOut()).isEqualTo(Set.of(new Identity(AT_NOON, "e2")));
    assertThat(closed.rows()).doesNotContainKey(AT_NOON);
    assertThat(open.leftOut()).isEmpty();
  }

  @Test
  void eventIsLeftOutOfTheHoppingWindowThatEndedAndCountedInTheOther() {
    Rules hopping =
        Rules.countingAll(
            RULES.limits(), new Windows(Duration.ofMinutes(2), Duration.ofMinutes(1)));
    var stream =
        new StreamSimulation(hopping, Duration.ofMinutes(1), LatenessRule.BY_ALL_EARLIER_BATCHES);

    // The watermark is 12:01; 12:00:30 lies in [11:59, 12:01) and [12:00, 12:02).
    var estimate = stream.estimate(List.of(List.of(seen("e1", 120)), List.of(seen("e2", 30))));

    assertThat(estimate.leftOut())
        .isEqualTo(Set.of(new Identity(new Group(NOON.minusSeconds(60), "A"), "e2")));
    assertThat(estimate.rows().get(AT_NOON).eventCount()).isEqualTo(1);
  }

  @Test
  void filteredAndRefusedEventsDoNotMoveTheWatermark() {
    Event future = new Event("e1", "A", NOON.plusSeconds(86_400), NOON, 1L);
    Event filtered = new Event("e2", "X", NOON.plusSeconds(3600), NOON.plusSeconds(3600), 1L);
    var stream =
        new StreamSimulation(
            RULES.where(event -> !"X".equals(event.key())),
            Duration.ofMinutes(1),
            LatenessRule.BY_ALL_EARLIER_BATCHES);

    var estimate =
        stream.estimate(
            List.of(List.of(SourceRecord.of("f", future), SourceRecord.of("f", filtered))));

    assertThat(estimate.watermark()).isEqualTo(Optional.empty());
  }

  @Test
  void lateCopyOfACountedEventIsNotLeftOut() {
    var estimate =
        STREAM.estimate(
            List.of(List.of(seen("e1", 0)), List.of(seen("e2", 30 * 60)), List.of(seen("e1", 0))));

    assertThat(estimate.leftOut()).isEmpty();
    assertThat(estimate.rows().get(AT_NOON).eventCount()).isEqualTo(1);
  }

  @Test
  void valueOfTheFirstBatchStaysAndUnlikeCopiesInOneBatchAreUndetermined() {
    Event first = new Event("e1", "A", NOON, NOON, 1L);
    SourceRecord one = SourceRecord.of("b", first);
    SourceRecord two = SourceRecord.of("a", first.withValue(2L));

    var apart = STREAM.estimate(List.of(List.of(one), List.of(two)));
    var together = STREAM.estimate(List.of(List.of(one, two)));

    assertThat(apart.rows().get(AT_NOON).max()).isEqualTo(1L);
    assertThat(apart.undetermined()).isEmpty();
    assertThat(together.undetermined()).isEqualTo(Set.of(AT_NOON));
  }

  private static SourceRecord seen(String id, long secondsAfterNoon) {
    Instant time = NOON.plusSeconds(secondsAfterNoon);
    return SourceRecord.of("f", new Event(id, "A", time, time, 1L));
  }
}
