package io.tidemark.reconcile.maintain;

import io.tidemark.tables.FileTotal;
import java.util.List;

/**
 * What was done to one table, or would be.
 *
 * @param compaction of its small files
 * @param removed files that were deleted
 */
public record TableUpkeep(String table, CompactionResult compaction, FileTotal removed) {

  /**
   * What came of the partitions that were chosen.
   *
   * @param partitions that were compacted; a table without partitions counts as one
   * @param filesBefore of these partitions
   * @param filesAfter of these partitions; before it is done, the least there can be
   * @param leftForNextRun partitions where another writer came first, as conditions in SQL
   */
  public record CompactionResult(
      long partitions, long filesBefore, long filesAfter, List<String> leftForNextRun) {

    static final CompactionResult NONE = new CompactionResult(0, 0, 0, List.of());

    public CompactionResult {
      leftForNextRun = List.copyOf(leftForNextRun);
    }
  }
}
