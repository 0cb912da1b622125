package io.tidemark.tests.oracle;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Windows {@code [start, start + size)} that start at every multiple of {@code slide} since
 * 1970-01-01T00:00:00Z.
 */
public record Windows(Duration size, Duration slide) {

  public static Windows tumbling(Duration size) {
    return new Windows(size, size);
  }

  /** The starts of the windows that hold the instant, earliest first. */
  public List<Instant> startsAround(Instant instant) {
    long time = instant.toEpochMilli();
    long step = slide.toMillis();
    List<Instant> starts = new ArrayList<>();
    long firstCandidate = Math.floorDiv(time - size.toMillis(), step) * step;
    for (long start = firstCandidate; start <= time; start += step) {
      if (time < start + size.toMillis()) {
        starts.add(Instant.ofEpochMilli(start));
      }
    }
    return starts;
  }

  public Instant end(Instant start) {
    return start.plus(size);
  }
}
