package io.tidemark.reconcile;

import io.tidemark.merge.SettlementMark;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How a settlement ended. */
public sealed interface SettleOutcome {

  /**
   * It was adopted.
   *
   * @param tableVersion the version of the aggregates that its commit made
   */
  record Adopted(SettlePlan plan, SettlementMark mark, long tableVersion)
      implements SettleOutcome {}

  /**
   * It breaks a limit of the pipeline file: nothing was adopted. The corrections are kept under the
   * mark's attempt, where no view shows them.
   *
   * @param mark what would have been committed, with the limits that it breaks
   */
  record Held(SettlePlan plan, SettlementMark mark) implements SettleOutcome {}

  /**
   * What it would adopt; nothing was written.
   *
   * @param differences some of the rows that would change, the largest changes of event counts
   *     first
   */
  record DryRun(SettlePlan plan, SettlementMark mark, List<RowDifference> differences)
      implements SettleOutcome {
    public DryRun {
      differences = List.copyOf(differences);
    }
  }

  /**
   * There was nothing to do.
   *
   * @param settledThrough windows that end at or before it are settled already
   */
  record Nothing(String why, Optional<Instant> settledThrough) implements SettleOutcome {}
}
