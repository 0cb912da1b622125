package io.tidemark.reconcile.maintain;

import io.tidemark.tables.FileTotal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What came of maintaining a pipeline. */
public sealed interface MaintainOutcome {

  Upkeep upkeep();

  /** Nothing was written. */
  record DryRun(Upkeep upkeep) implements MaintainOutcome {}

  record Done(Upkeep upkeep) implements MaintainOutcome {}

  /**
   * Table by table, and beside them.
   *
   * @param history the past that is kept
   * @param expired days of the archive that were deleted; empty: not asked for
   * @param checkpoints temporary files that a crash left in the checkpoints
   * @param runs result files of runs, and tables of runs that were killed
   */
  record Upkeep(
      Duration history,
      Optional<ExpiredDays> expired,
      List<TableUpkeep> tables,
      FileTotal checkpoints,
      FileTotal runs) {

    public Upkeep {
      tables = List.copyOf(tables);
    }
  }
}
