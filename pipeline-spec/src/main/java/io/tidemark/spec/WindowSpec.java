package io.tidemark.spec;

import java.time.Duration;

/**
 * How event time is cut into windows {@code [start, end)}. Windows are aligned to
 * 1970-01-01T00:00:00Z.
 */
public sealed interface WindowSpec {

  Duration size();

  /** The distance between the starts of two neighbouring windows. */
  Duration slide();

  /** The most windows one event can be in. */
  default long windowsPerEvent() {
    return (size().toMillis() + slide().toMillis() - 1) / slide().toMillis();
  }

  /** Windows side by side: each event is in exactly one. */
  record Tumbling(Duration size) implements WindowSpec {
    public Tumbling {
      requirePositiveMillis("size", size);
    }

    @Override
    public Duration slide() {
      return size;
    }
  }

  /** Overlapping windows: each event is in about {@code size / slide} of them. */
  record Hopping(Duration size, Duration slide) implements WindowSpec {
    public Hopping {
      requirePositiveMillis("size", size);
      requirePositiveMillis("slide", slide);
      if (slide.compareTo(size) > 0) {
        throw new IllegalArgumentException(
            "slide " + slide + " is longer than size " + size + ": events between would be lost");
      }
    }
  }

  private static void requirePositiveMillis(String what, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException("window " + what + " is not positive: " + duration);
    }
    if (duration.toNanosPart() % 1_000_000 != 0) {
      throw new IllegalArgumentException(
          "window " + what + " is not a whole number of milliseconds: " + duration);
    }
  }
}
