package io.tidemark.reconcile.maintain;

import io.tidemark.reconcile.maintain.TableUpkeep.CompactionResult;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.tables.Compaction;
import io.tidemark.tables.PartitionFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Compacts partitions one by one, each in a commit of its own, and gives way: where another writer
 * has changed a partition meanwhile, it is left as that writer made it.
 *
 * @param compact one partition; throws {@link ConflictException} where another writer came first
 */
record Compactor(Function<PartitionFiles, Compaction> compact) {

  private static final String WHOLE_TABLE = "the whole table";

  CompactionResult run(List<PartitionFiles> chosen) {
    long partitions = 0;
    long before = 0;
    long after = 0;
    List<String> left = new ArrayList<>();
    for (PartitionFiles partition : chosen) {
      try {
        Compaction done = compact.apply(partition);
        if (done.replaced() > 0) {
          partitions++;
          before += partition.files();
          after += partition.files() - done.replaced() + done.written();
        }
      } catch (ConflictException overtaken) {
        left.add(partition.condition().orElse(WHOLE_TABLE));
      }
    }
    return new CompactionResult(partitions, before, after, left);
  }

  /** What {@link #run} would do if each partition became one file. */
  static CompactionResult dryRun(List<PartitionFiles> chosen) {
    return new CompactionResult(
        chosen.size(),
        chosen.stream().mapToLong(PartitionFiles::files).sum(),
        chosen.stream()
            .mapToLong(partition -> partition.files() - partition.smallFiles() + 1)
            .sum(),
        List.of());
  }
}
