package io.tidemark.cli;

import io.tidemark.spec.error.SpecException;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;

/** Tells a query that cannot be run from a failure in running it. */
public final class QueryMistake {

  /**
   * Classes of SQLSTATE that say that the query is wrong: no such feature, too many rows for one,
   * values that can't be computed with, names and types.
   */
  private static final Set<String> OF_THE_QUERY = Set.of("0A", "21", "22", "42");

  private QueryMistake() {}

  /** In words, if the failure of a query is the query's own fault. */
  public static Optional<SpecException> in(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkThrowable e && isOfTheQuery(e)) {
        // The message of an analysis drags the whole plan along.
        String message =
            cause instanceof AnalysisException a ? a.getSimpleMessage() : cause.getMessage();
        return Optional.of(new SpecException("Cannot run the query: " + message, failure));
      }
    }
    return Optional.empty();
  }

  private static boolean isOfTheQuery(SparkThrowable failure) {
    String state = failure.getSqlState();
    return state != null && OF_THE_QUERY.contains(state.substring(0, 2));
  }
}
