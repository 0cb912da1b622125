package io.tidemark.spec;

import java.time.Duration;
import java.time.Instant;

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

  /**
   * The start of the first window that ends after an instant. Example: of windows of 10 minutes
   * each 5, after 12:00 it is 11:55, that of [11:55, 12:05).
   */
  default Instant firstStartOfEndAfter(Instant instant) {
    long slide = slide().toMillis();
    long beforeStart = Math.floorDiv(instant.minus(size()).toEpochMilli(), slide);
    return Instant.ofEpochMilli((beforeStart + 1) * slide);
  }

  /**
   * From which instant on all windows of an event start at or after another. Example: of windows of
   * 10 minutes each 5, for 12:00 it is 12:05, as 12:04 is in [11:55, 12:05) too.
   */
  default Instant startingOnlyFrom(Instant start) {
    long slide = slide().toMillis();
    long first = -Math.floorDiv(-start.toEpochMilli(), slide);
    return Instant.ofEpochMilli((first - 1) * slide).plus(size());
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
