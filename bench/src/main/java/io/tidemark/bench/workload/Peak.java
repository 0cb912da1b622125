package io.tidemark.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * A slice of the busiest minutes of a thousand million events a day, cut into batches, and before
 * it a fill: as many minutes as a watermark of 10 minutes keeps open, so that windows close while
 * the slice is read.
 *
 * @param eventsPerBatch with copies
 * @param fillPerSecond events a second of the fill; {@link #PER_SECOND} for a stream that has been
 *     at its peak all the time, less for a state that is quickly had
 */
public record Peak(long eventsPerBatch, int batches, long fillPerSecond) {

  /** A day of a thousand million events has this many a second at five times the average. */
  public static final long PER_SECOND = 57_870;

  /** When the first events arrive: late enough in their day for a history of the same day. */
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

  /** No event happened before. */
  public static final Instant NOTHING_BEFORE = START.minus(Duration.ofMinutes(15));

  private static final Duration FILL = Duration.ofMinutes(11);
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int KEYS = 50_000;
  private static final double SKEW = 1.0;

  /** Writes {@code fill} and {@code peak}, each with its own oracle: their sums are exact. */
  public void write(Path directory, long seed) throws IOException {
    long fill = fillPerSecond * FILL.toSeconds();
    new WorkloadFiles(directory.resolve("fill"), Long.MAX_VALUE)
        .write(workload(seed, fill, START, FILL));
    long events = eventsPerBatch * batches;
    new WorkloadFiles(directory.resolve("peak"), eventsPerBatch)
        .write(
            workload(
                seed + 1,
                events,
                START.plus(FILL),
                Duration.ofNanos(Math.round(events * 1e9 / PER_SECOND))));
  }

  private static Workload workload(long seed, long events, Instant start, Duration span) {
    return new Workload(seed, events, start, span, WINDOW, KEYS, SKEW, Lateness.IN_TIME, 0);
  }
}
