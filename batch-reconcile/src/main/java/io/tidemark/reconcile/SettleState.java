package io.tidemark.reconcile;

import io.tidemark.merge.SettlementMark;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.VersionRange;
import java.time.Instant;
import java.util.Optional;

/**
 * What a settlement is planned from.
 *
 * @param last the newest settlement
 * @param frontier the stream's, read before the archive was pinned
 * @param archiveVersion the version of the archive that is pinned
 * @param lastWindowEnd the end of the last window that the archive holds an event of; only needed
 *     for a close
 * @param dirty what is dirty among the settled windows
 * @param kept windows that it freezes are settled no more
 */
public record SettleState(
    Optional<SettlementMark> last,
    Optional<Instant> frontier,
    long archiveVersion,
    Optional<Instant> lastWindowEnd,
    Dirty dirty,
    KeptArchive kept) {

  SettleState with(Dirty found) {
    return new SettleState(last, frontier, archiveVersion, lastWindowEnd, found, kept);
  }

  /** Commits to the archive that the newest settlement has not recounted. */
  public VersionRange newCommits() {
    long after = last.map(SettlementMark::archiveVersion).orElse(SettlementMark.NOTHING_RECOUNTED);
    return VersionRange.since(after, archiveVersion);
  }
}
