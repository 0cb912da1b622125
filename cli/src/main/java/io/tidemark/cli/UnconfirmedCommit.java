package io.tidemark.cli;

import io.tidemark.spec.error.ConflictException;
import io.tidemark.store.UnconfirmedPutException;
import java.util.Optional;

/** A commit of which the store has not said what became of it. */
public final class UnconfirmedCommit {

  private UnconfirmedCommit() {}

  /**
   * The error for the operator; empty: it is about something else.
   *
   * @param error Delta's or Spark's own: a streaming query that died of it is told as such
   */
  public static Optional<ConflictException> in(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnconfirmedPutException unconfirmed) {
        return Optional.of(new ConflictException(unconfirmed.getMessage() + "", error));
      }
    }
    return Optional.empty();
  }
}
