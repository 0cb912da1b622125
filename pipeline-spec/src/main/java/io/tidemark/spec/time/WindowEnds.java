package io.tidemark.spec.time;

import java.time.Instant;
import java.util.Optional;

/**
 * The windows that end in {@code (after, through]}.
 *
 * @param after exclusive; empty: from the first window on
 * @param through inclusive
 */
public record WindowEnds(Optional<Instant> after, Instant through) {

  public WindowEnds {
    if (after.isPresent() && !after.get().isBefore(through)) {
      throw new IllegalArgumentException(
          "window ends are none: after " + after.get() + " through " + through);
    }
  }

  public static WindowEnds through(Instant through) {
    return new WindowEnds(Optional.empty(), through);
  }
}
