package io.tidemark.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.reconcile.DelayLadder.Rung;
import io.tidemark.spec.Watermark;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DelayLadderTest {

  private static final Rung NONE = new Rung(Duration.ZERO, 400);
  private static final Rung MINUTE = new Rung(Duration.ofMinutes(1), 29);
  private static final Rung HOUR = new Rung(Duration.ofHours(1), 2);
  private static final DelayLadder LADDER = new DelayLadder(1000, List.of(NONE, MINUTE, HOUR));

  @Test
  void theShortestDelayThatLeavesOutNoMoreIsFound() {
    assertThat(LADDER.shortest(0.5)).contains(NONE);
    assertThat(LADDER.shortest(0.03)).contains(MINUTE);
    assertThat(LADDER.shortest(0.01)).contains(HOUR);
  }

  @Test
  void aDelayThatLeavesOutExactlySoMuchWillDo() {
    assertThat(LADDER.shortest(0.029)).contains(MINUTE);
    assertThat(LADDER.shortest(0.002)).contains(HOUR);
  }

  @Test
  void noneIsFoundWhereTheLongestLeavesOutMore() {
    assertThat(LADDER.shortest(0.0019)).isEmpty();
  }

  @Test
  void theCurrentDelayIsTriedOnceAndInItsPlace() {
    assertThat(delays(10, 60)).hasSize(13).startsWith(d(0), d(10), d(30), d(60), d(70), d(300));
    assertThat(delays(10, 50)).hasSize(12).startsWith(d(0), d(10), d(30), d(60), d(300));
    assertThat(delays(0, 172_800)).hasSize(13).endsWith(d(86_400), d(172_800));
  }

  @Test
  void aLadderOverNothingIsRefused() {
    assertThatThrownBy(() -> new DelayLadder(0, List.of()))
        .hasMessage("a ladder over 0 memberships");
  }

  private static List<Duration> delays(long bound, long allowedLateness) {
    return DelayLadder.delays(new Watermark(d(bound), d(allowedLateness)));
  }

  private static Duration d(long seconds) {
    return Duration.ofSeconds(seconds);
  }
}
