package io.tidemark.merge;

import io.tidemark.spec.time.PartitionUnit;
import io.tidemark.tables.SqlLiteral;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The part of the aggregates that a MERGE may touch, as literals: only so does the table format
 * read just these partitions and let a MERGE on others commit at the same time.
 *
 * @param partitions starts of the partitions
 * @param firstWindowStart inclusive
 * @param lastWindowStart inclusive
 */
public record MergeScope(
    PartitionUnit unit,
    NavigableSet<Instant> partitions,
    Instant firstWindowStart,
    Instant lastWindowStart) {

  public MergeScope {
    if (partitions.isEmpty()) {
      throw new IllegalArgumentException("a merge scope needs a partition");
    }
    if (lastWindowStart.isBefore(firstWindowStart)) {
      throw new IllegalArgumentException(
          "merge scope ends before it begins: " + firstWindowStart + " to " + lastWindowStart);
    }
    partitions = Collections.unmodifiableNavigableSet(new TreeSet<>(partitions));
  }

  /** A condition on the target alone, e.g. {@code t.`window_date` IN (DATE'2026-03-01') AND …}. */
  String predicate() {
    return """
        t.%s
          AND t.`window_start` >= %s
          AND t.`window_start` <= %s"""
        .formatted(
            partitionPredicate(), SqlLiteral.of(firstWindowStart), SqlLiteral.of(lastWindowStart));
  }

  /** The partitions as a condition, e.g. <code>`window_date` IN (DATE'2026-03-01')</code>. */
  public String partitionPredicate() {
    return partitions.stream()
        .map(this::literal)
        .collect(Collectors.joining(", ", "`" + unit.columnName() + "` IN (", ")"));
  }

  private String literal(Instant partition) {
    return switch (unit) {
      case DAY -> SqlLiteral.of(partition.atZone(ZoneOffset.UTC).toLocalDate());
      case HOUR -> SqlLiteral.of(partition);
    };
  }
}
