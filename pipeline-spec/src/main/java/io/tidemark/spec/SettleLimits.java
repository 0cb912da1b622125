package io.tidemark.spec;

import java.util.Optional;

/**
 * Limits on what a settlement may change without a person's word. They decide whether numbers are
 * adopted, never which, so they are part of no fingerprint.
 *
 * @param maxCorrectedShare rows whose estimate was wrong, of the settled rows
 * @param maxTotalChange change of a measure's total, of the total
 * @param maxRowChange rows of a newly settled partition, against the same one of earlier days
 * @param maxPhantomShare rows that should not have been there, of the rows of either side
 * @param maxProblemShare records with a problem, of those archived since the settlement before
 */
public record SettleLimits(
    Optional<Percentage> maxCorrectedShare,
    Optional<Percentage> maxTotalChange,
    Optional<Percentage> maxRowChange,
    Optional<Percentage> maxPhantomShare,
    Optional<Percentage> maxProblemShare,
    OnBreach onBreach) {

  /** What becomes of a settlement that breaks a limit. */
  public enum OnBreach {
    /** Nothing is adopted until a person accepts it. */
    HOLD,
    /** It is adopted, and the ledger tells. */
    WARN
  }
}
