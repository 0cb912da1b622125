package io.tidemark.reconcile;

import java.time.Instant;
import java.util.Optional;

/** What a settlement is asked to do. */
public sealed interface SettleRequest {

  /**
   * Settles what the stream has left behind.
   *
   * @param through no window that ends after it; empty: as far as the frontier allows
   */
  record BehindFrontier(Optional<Instant> through) implements SettleRequest {}

  /**
   * Recounts settled partitions once more, as a whole, besides what is dirty.
   *
   * @param from the partition that holds it is the first
   * @param to exclusive
   * @param reason goes into the commit and the ledger
   */
  record Again(Instant from, Instant to, String reason) implements SettleRequest {
    public Again {
      if (reason.isBlank()) {
        throw new IllegalArgumentException("the reason to settle again is blank");
      }
      if (!from.isBefore(to)) {
        throw new IllegalArgumentException("ends before it begins: " + from + " to " + to);
      }
    }
  }

  /**
   * Settles past the frontier, for a source that has ended.
   *
   * @param through no window that ends after it; empty: all that the archive holds, which is the
   *     most in any case
   * @param reason goes into the commit and the ledger
   */
  record Close(Optional<Instant> through, String reason) implements SettleRequest {
    public Close {
      if (reason.isBlank()) {
        throw new IllegalArgumentException("the reason for a close is blank");
      }
    }
  }
}
