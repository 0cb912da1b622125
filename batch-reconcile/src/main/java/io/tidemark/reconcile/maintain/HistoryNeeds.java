package io.tidemark.reconcile.maintain;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What jobs that are still to come will read of the archive's past.
 *
 * @param unread what the stream has to read; empty: it has read all
 * @param inserts what settlements have to find from single commits
 */
record HistoryNeeds(Optional<Unread> unread, List<Inserts> inserts) {

  HistoryNeeds {
    inserts = List.copyOf(inserts);
  }

  /**
   * Records that the stream has not read.
   *
   * @param version of the archive that it has read through; -1: none
   * @param readThrough when that was committed; empty: the archive's log no longer holds it, or not
   *     what comes after it
   * @param records that wait, as far as the log knows
   */
  record Unread(long version, Optional<Instant> readThrough, long records) {}

  /**
   * Records archived since a settlement: the next settlement after it finds its dirty pairs there.
   *
   * @param settlement that is in force, or will be if the one above is undone
   * @param version of the archive that it recounted
   * @param recounted when that was committed
   * @param records that came since
   */
  record Inserts(
      long settlement, Standing standing, long version, Instant recounted, long records) {}

  /** Which of the settlements it is. */
  enum Standing {
    IN_FORCE,
    /** In force again once the one above it is undone. */
    BELOW
  }
}
