package io.tidemark.merge;

import io.tidemark.spec.error.ConflictException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs a write again while another writer's commit stands in its way. The wait doubles from {@code
 * first} up to {@code longest}.
 *
 * @param attempts how often at the most
 * @param sleeper waits; a parameter so that tests need not
 */
public record ConflictRetry(
    int attempts, Duration first, Duration longest, Consumer<Duration> sleeper) {

  public ConflictRetry {
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts is below 1: " + attempts);
    }
  }

  /** Never gives up: a stream does not end for a conflict. */
  public static ConflictRetry endless() {
    return new ConflictRetry(
        Integer.MAX_VALUE, Duration.ofMillis(100), Duration.ofSeconds(10), ConflictRetry::sleep);
  }

  /** Gives up after so many attempts: a person is better told than kept waiting. */
  public static ConflictRetry times(int attempts) {
    return new ConflictRetry(
        attempts, Duration.ofSeconds(1), Duration.ofSeconds(10), ConflictRetry::sleep);
  }

  /**
   * Runs the write until it succeeds.
   *
   * @param write run whole at each attempt, so that it reads anew what it depends on
   * @throws ConflictException the last conflict, after all attempts
   */
  public void run(Runnable write) {
    call(
        () -> {
          write.run();
          return true;
        });
  }

  /** The same for a write that has an outcome. */
  public <T> T call(Supplier<T> write) {
    Duration wait = first;
    for (int attempt = 1; ; attempt++) {
      try {
        return write.get();
      } catch (ConflictException e) {
        if (attempt == attempts) {
          throw e;
        }
        sleeper.accept(wait);
        wait = wait.multipliedBy(2).compareTo(longest) < 0 ? wait.multipliedBy(2) : longest;
      }
    }
  }

  private static void sleep(Duration duration) {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConflictException("Stopped while waiting to repeat a write; run again.", e);
    }
  }
}
