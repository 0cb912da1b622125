package io.tidemark.reconcile.maintain;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.time.SpecDuration;
import io.tidemark.tables.Generation;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which days of the archive need not be kept. Pure.
 *
 * <p>A retention reaches back from the settled boundary, so that a pipeline that stands still loses
 * nothing. Example: settled through 2026-04-10, a retention of 40 days keeps the events from
 * 2026-03-01 on.
 */
record ArchiveRetention(PipelineSpec spec) {

  /** Where a day's number, which labels its deletion, begins to be positive. */
  private static final LocalDate FIRST_DAY = LocalDate.EPOCH.plusDays(1);

  /**
   * The shortest retention: all frozen windows are final then, for nothing admissible comes for
   * them any more, and a rewind finds its events. A window starts its size before it ends.
   */
  Duration floor() {
    Duration admissible = spec.event().admissibleFor();
    Duration rewind = new HistoryInterlock(spec).rewind();
    return (admissible.compareTo(rewind) < 0 ? rewind : admissible).plus(spec.window().size());
  }

  /**
   * Lets a retention pass that is long enough.
   *
   * @throws SpecException if it is not, with the shortest
   */
  void require(Duration retention) {
    if (retention.compareTo(floor()) < 0) {
      throw new SpecException(
          "Cannot keep only %s of the archive of %s: the shortest is %s, so that no window loses events that may still get some (max-age %s, future skew %s, window %s) and a rewind finds its own. Nothing was changed."
              .formatted(
                  SpecDuration.format(retention),
                  spec.name(),
                  HistoryInterlock.roundedUp(floor()),
                  SpecDuration.format(spec.event().maxAge()),
                  SpecDuration.format(spec.event().maxFutureSkew()),
                  SpecDuration.format(spec.window().size())));
    }
  }

  /**
   * The first day to keep; empty: all days.
   *
   * @param settledThrough the settled boundary
   * @param undoable the first window that undoing the settlement in force would change: its events
   *     are needed to settle it again
   */
  Optional<LocalDate> keepFrom(Duration retention, Instant settledThrough, Instant undoable) {
    Instant start = settledThrough.minus(retention);
    Instant first = undoable.isBefore(start) ? undoable : start;
    return first.isBefore(FIRST_DAY.atStartOfDay(ZoneOffset.UTC).toInstant())
        ? Optional.empty()
        : Optional.of(first.atZone(ZoneOffset.UTC).toLocalDate());
  }

  /**
   * Lets a deletion pass that loses nothing that a job still has to read.
   *
   * @param day the first that is kept
   * @param generation whose stream and settlements it is about
   * @param unread records of days before it that the stream has not read
   * @param unsettled records of days before it that came since the settlement in force
   * @throws SpecException if there is one, with the remedy
   */
  void requireRead(LocalDate day, Generation generation, long unread, long unsettled) {
    List<String> reasons = new ArrayList<>();
    if (unread > 0) {
      reasons.add(
          "the stream of %s has not read %d of their records. Let 'tidemark aggregate' or 'tidemark stream' read them first."
              .formatted(generation, unread));
    }
    if (unsettled > 0) {
      reasons.add(
          "%d of their records came since the last settlement of %s. Run 'tidemark settle' first."
              .formatted(unsettled, generation));
    }
    if (!reasons.isEmpty()) {
      throw new SpecException(
          "Cannot delete the days before %s from the archive of %s:\n  - %s\nNothing was changed."
              .formatted(day, spec.name(), String.join("\n  - ", reasons)));
    }
  }
}
