package io.tidemark.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.error.ConflictException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConflictRetryTest {

  private final List<Duration> waits = new ArrayList<>();
  private final ConflictRetry retry =
      new ConflictRetry(7, Duration.ofMillis(100), Duration.ofSeconds(1), waits::add);

  /** A write in whose way another one stands a few times. */
  private static final class Write implements Runnable {
    private final int conflicts;
    private int runs;

    Write(int conflicts) {
      this.conflicts = conflicts;
    }

    @Override
    public void run() {
      runs++;
      if (runs <= conflicts) {
        throw new ConflictException("conflict " + runs);
      }
    }
  }

  @Test
  void aWriteWithoutAConflictRunsOnceAndWaitsForNothing() {
    Write write = new Write(0);

    retry.run(write);

    assertThat(write.runs).isEqualTo(1);
    assertThat(waits).isEmpty();
  }

  @Test
  void theWaitDoublesUpToTheLongest() {
    Write write = new Write(6);

    retry.run(write);

    assertThat(write.runs).isEqualTo(7);
    assertThat(waits)
        .containsExactly(
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofMillis(400),
            Duration.ofMillis(800),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1));
  }

  @Test
  void afterTheLastAttemptTheLastConflictIsThrown() {
    Write write = new Write(99);

    assertThatThrownBy(() -> retry.run(write))
        .isInstanceOf(ConflictException.class)
        .hasMessage("conflict 7");
    assertThat(write.runs).isEqualTo(7);
    assertThat(waits).hasSize(6);
  }

  @Test
  void anythingElseThanAConflictIsThrownAtOnce() {
    assertThatThrownBy(
            () ->
                retry.run(
                    () -> {
                      throw new IllegalStateException("disk full");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("disk full");
    assertThat(waits).isEmpty();
  }

  @Test
  void anInterruptEndsTheWaitAsAConflict() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> ConflictRetry.endless().run(new Write(1)))
        .isInstanceOf(ConflictException.class)
        .hasMessage("Stopped while waiting to repeat a write; run again.");
    assertThat(Thread.interrupted()).as("the thread stays interrupted").isTrue();
  }

  @Test
  void noAttemptAtAllIsRefused() {
    assertThatThrownBy(
            () -> new ConflictRetry(0, Duration.ofMillis(1), Duration.ofMillis(1), waits::add))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("attempts is below 1: 0");
  }
}
