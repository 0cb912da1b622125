package io.tidemark.reconcile;

import java.time.Instant;
import java.util.Optional;

/**
 * What lateness is asked for.
 *
 * @param by what groups are told apart by; empty: none
 * @param since only of events that arrived at or after this; what the stream had seen before them
 *     counts all the same
 */
public record LatenessRequest(Optional<Grouping> by, Optional<Instant> since) {

  /** What the events are told apart by. */
  public enum Grouping {
    /** The directory of their file. */
    SOURCE,
    /** Their key columns. */
    KEY
  }
}
