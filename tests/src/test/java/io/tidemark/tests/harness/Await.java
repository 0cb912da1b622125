package io.tidemark.tests.harness;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread or process is about to do. */
public final class Await {

  private static final Duration LONGEST = Duration.ofMinutes(4);

  private Await() {}

  /**
   * Looks until the condition is true.
   *
   * @throws IllegalStateException if it does not become true within minutes
   */
  public static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("waited in vain until " + what);
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }
}
