package io.tidemark.reconcile.maintain;

import io.tidemark.tables.FileTotal;
import io.tidemark.tables.PartitionFiles;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * Days of the archive that were deleted, or would be.
 *
 * @param retention how much of the settled past was to be kept
 * @param keptFrom the first day that is kept; empty: all days are
 * @param days how many were deleted
 * @param files of these days: deleted once they are older than the history
 */
public record ExpiredDays(
    Duration retention, Optional<LocalDate> keptFrom, long days, FileTotal files) {

  static ExpiredDays none(Duration retention, Optional<LocalDate> keptFrom) {
    return new ExpiredDays(retention, keptFrom, 0, FileTotal.NONE);
  }

  static ExpiredDays of(Duration retention, LocalDate keptFrom, List<PartitionFiles> days) {
    return new ExpiredDays(
        retention,
        Optional.of(keptFrom),
        days.size(),
        new FileTotal(
            days.stream().mapToLong(PartitionFiles::files).sum(),
            days.stream().mapToLong(PartitionFiles::bytes).sum()));
  }

  /** Whether a partition's events are of days before one. */
  static boolean isBefore(LocalDate day, PartitionFiles partition) {
    Instant start = day.atStartOfDay(ZoneOffset.UTC).toInstant();
    return partition.start().filter(start::isAfter).isPresent();
  }

  /** Whether a partition of the archive is among them. */
  boolean contain(PartitionFiles partition) {
    return days > 0 && isBefore(keptFrom.orElseThrow(), partition);
  }
}
