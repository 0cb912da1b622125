package io.tidemark.reconcile.maintain;

import io.tidemark.spec.time.PartitionUnit;
import io.tidemark.tables.PartitionFiles;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the partitions that are worth a compaction and that writers have left behind. Pure.
 *
 * @param unit of the aggregates' partitions
 * @param settledThrough windows that end at or before it are settled; empty: none are
 * @param frontier the stream's; empty: none yet
 */
record CompactionPlanner(
    PartitionUnit unit, Optional<Instant> settledThrough, Optional<Instant> frontier) {

  /** So many small files may stay: joining them would write more than it spares readers. */
  static final int HANDFUL = 4;

  private static final Duration DAY = Duration.ofDays(1);

  /** Settled partitions: the stream writes to later ones only, a settlement to the dirty ones. */
  List<PartitionFiles> ofAggregates(List<PartitionFiles> partitions) {
    return worthIt(partitions).stream()
        .filter(partition -> endsThrough(partition, unit.length(), settledThrough))
        .toList();
  }

  /**
   * Event days before the frontier's, and the records without a day. Ingest only ever appends,
   * which a compaction never hinders; today's files wait until there are more of them.
   */
  List<PartitionFiles> ofArchive(List<PartitionFiles> partitions) {
    return worthIt(partitions).stream()
        .filter(partition -> partition.start().isEmpty() || endsThrough(partition, DAY, frontier))
        .toList();
  }

  /** A table without partitions to which jobs only append. */
  List<PartitionFiles> ofJournal(List<PartitionFiles> partitions) {
    return worthIt(partitions);
  }

  private static List<PartitionFiles> worthIt(List<PartitionFiles> partitions) {
    return partitions.stream().filter(partition -> partition.smallFiles() > HANDFUL).toList();
  }

  private static boolean endsThrough(
      PartitionFiles partition, Duration length, Optional<Instant> boundary) {
    return boundary.isPresent()
        && partition.start().isPresent()
        && !partition.start().get().plus(length).isAfter(boundary.get());
  }
}
