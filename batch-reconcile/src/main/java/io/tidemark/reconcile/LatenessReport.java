package io.tidemark.reconcile;

import java.time.Duration;
import java.util.List;

/**
 * How late the archive's events came.
 *
 * @param events how many were looked at, copies aside
 * @param behind how far they lay behind the latest event time of earlier commits
 * @param delay how long after their event time they arrived; negative where that lies ahead
 * @param groups those of the largest p99 of {@code behind}, the largest first
 */
public record LatenessReport(
    long archiveVersion,
    long events,
    Percentiles behind,
    Percentiles delay,
    List<Group> groups,
    DelayLadder ladder) {

  public LatenessReport {
    groups = List.copyOf(groups);
  }

  /** Percentiles of a duration; all but the largest are off by at most 0.01% of the ranks. */
  public record Percentiles(
      Duration p50, Duration p90, Duration p99, Duration p999, Duration max) {}

  /**
   * Events of one source or key.
   *
   * @param name a directory, or the key columns as JSON
   */
  public record Group(String name, long events, Percentiles behind) {}
}
