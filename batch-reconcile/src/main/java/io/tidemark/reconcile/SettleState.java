package io.tidemark.reconcile;

import io.tidemark.merge.SettlementMark;
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
 */
public record SettleState(
    Optional<SettlementMark> last,
    Optional<Instant> frontier,
    long archiveVersion,
    Optional<Instant> lastWindowEnd) {}
