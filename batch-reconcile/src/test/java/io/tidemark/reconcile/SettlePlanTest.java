package io.tidemark.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.reconcile.SettlePlan.Step;
import io.tidemark.spec.time.WindowEnds;
import io.tidemark.tables.VersionRange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SettlePlanTest {

  private static final Instant MARCH_1 = Instant.parse("2026-03-01T00:00:00Z");
  private static final Instant MARCH_2 = Instant.parse("2026-03-02T00:00:00Z");

  @Test
  void stepsSayInWordsWhatIsRecounted() {
    assertThat(new Step.ClosedWindows(WindowEnds.through(MARCH_2)).description())
        .isEqualTo("recount all windows that end at or before 2026-03-02T00:00:00Z");
    assertThat(new Step.ClosedWindows(new WindowEnds(Optional.of(MARCH_1), MARCH_2)).description())
        .isEqualTo(
            "recount all windows that end after 2026-03-01T00:00:00Z and at or before"
                + " 2026-03-02T00:00:00Z");
    assertThat(
            new Step.DirtyPairs(
                    new VersionRange(12, 15),
                    new TreeMap<>(Map.of(MARCH_1, 3L, MARCH_2, 4L)),
                    Optional.empty())
                .description())
        .isEqualTo(
            "recount 7 settled (window, key) pairs in 2 partitions (2026-03-01T00:00:00Z,"
                + " 2026-03-02T00:00:00Z), which have events in archive versions 13 to 15");
    assertThat(
            new Step.WholePartitions(new TreeSet<>(Set.of(MARCH_1)), "you asked for it")
                .description())
        .isEqualTo(
            "recount 1 partition (2026-03-01T00:00:00Z), settled before, as a whole, because you"
                + " asked for it");
  }

  @Test
  void ofManyPartitionsTheFirstAndTheLastAreNamed() {
    NavigableMap<Instant, Long> week = new TreeMap<>();
    for (int day = 0; day < 7; day++) {
      week.put(MARCH_1.plus(Duration.ofDays(day)), 1L);
    }

    assertThat(
            new Step.DirtyPairs(new VersionRange(12, 13), week, Optional.of("its log is gone"))
                .description())
        .isEqualTo(
            "recount 7 settled (window, key) pairs in 7 partitions (2026-03-01T00:00:00Z,"
                + " 2026-03-02T00:00:00Z, 2026-03-03T00:00:00Z, … to 2026-03-07T00:00:00Z), which"
                + " have events in archive version 13; found by reading the whole archive,"
                + " because its log is gone");
  }

  @Test
  void aPlanWithoutAStepIsRefused() {
    assertThatThrownBy(
            () -> new SettlePlan(1, 0, Optional.empty(), MARCH_1, Optional.empty(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a settlement without a step");
  }

  @Test
  void aCloseWithoutAReasonIsRefused() {
    assertThatThrownBy(() -> new SettleRequest.Close(Optional.empty(), " "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the reason for a close is blank");
  }
}
