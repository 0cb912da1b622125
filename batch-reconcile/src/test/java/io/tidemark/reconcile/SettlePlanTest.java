package io.tidemark.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.reconcile.SettlePlan.Step;
import io.tidemark.spec.time.WindowEnds;
import io.tidemark.tables.VersionRange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
    assertThat(new Step.DirtyPairs(new VersionRange(12, 15), MARCH_2).description())
        .isEqualTo(
            "recount the (window, key) pairs that end at or before 2026-03-02T00:00:00Z and have"
                + " events in archive versions 13 to 15");
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
