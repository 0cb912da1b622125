package io.tidemark.reconcile;

import io.tidemark.spec.computation.RecordFate;
import io.tidemark.tables.KeptArchive;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Why a row of the aggregates is what it is. Values are the measures as people see them, as JSON.
 *
 * @param key the key columns as JSON
 * @param frozen where the window is frozen, by what: records of it may be gone
 * @param now the row as the pipeline's view shows it; empty: there is none
 * @param changes what settlements changed, the first first
 * @param recordsByFate all archived records of the row
 * @param records some of them, in the order in which they were archived
 * @param unattributable records with a problem of the same day, of which cannot be said whether
 *     they belong to the row
 */
public record RowExplanation(
    Instant windowStart,
    Instant windowEnd,
    String key,
    long archiveVersion,
    Optional<KeptArchive> frozen,
    Optional<Shown> now,
    List<Change> changes,
    Map<RecordFate, Long> recordsByFate,
    List<ArchivedRecord> records,
    long unattributable) {

  public RowExplanation {
    changes = List.copyOf(changes);
    recordsByFate = Map.copyOf(recordsByFate);
    records = List.copyOf(records);
  }

  /** A row of the view. */
  public record Shown(String values, String status, long version) {}

  /** What an adopted settlement changed; an absent side means no row. */
  public record Change(
      long settlement,
      String kind,
      Instant committedAt,
      Optional<String> before,
      Optional<String> after) {}

  /**
   * An archived record of the row.
   *
   * @param eventId the id columns as JSON
   * @param countedPosition the position of the copy that is counted
   * @param archiveVersion the version of the archive that added it
   * @param closedThrough what the stream had closed when it read the event
   * @param settledBy the first settlement of the row's window that saw it; empty: none yet, or
   *     whether it was counted is not known, because the window is frozen
   */
  public record ArchivedRecord(
      Optional<String> eventId,
      Instant eventTime,
      Optional<Instant> arrivalTime,
      String position,
      String countedPosition,
      long archiveVersion,
      Optional<Instant> closedThrough,
      Optional<String> problem,
      RecordFate fate,
      Optional<Long> settledBy) {}

  /** What the stream made of the row before any settlement changed it; empty: no row. */
  public Optional<String> estimate() {
    return changes.isEmpty() ? now.map(Shown::values) : changes.get(0).before();
  }

  public long recordCount() {
    return recordsByFate.values().stream().mapToLong(Long::longValue).sum();
  }
}
