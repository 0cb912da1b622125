package io.tidemark.bench.workload;

import java.time.Duration;
import java.time.Instant;

/** How large a benchmark is. */
public enum Size {
  /** For every day. */
  S(2_000_000, Duration.ofDays(1), 64),
  /** For published figures. */
  M(20_000_000, Duration.ofDays(2), 64),
  /** For those who have the time and the disk. */
  L(200_000_000, Duration.ofDays(14), 0);

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int KEYS = 50_000;
  private static final double SKEW = 1.0;

  private final long events;
  private final Duration span;
  private final int payloadCharacters;

  Size(long events, Duration span, int payloadCharacters) {
    this.events = events;
    this.span = span;
    this.payloadCharacters = payloadCharacters;
  }

  /** The main workload of this size: windows of a minute, 50,000 keys, skew 1, mobile senders. */
  public Workload workload(long seed) {
    return new Workload(
        seed, events, START, span, WINDOW, KEYS, SKEW, Lateness.MOBILE, payloadCharacters);
  }
}
