package io.tidemark.cli;

import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.util.Optional;
import org.apache.spark.SparkThrowable;

/** Spark's word for a file that an old version of a table consists of and that is deleted. */
public final class GoneFile {

  private static final String CONDITION = "FAILED_READ_FILE.FILE_NOT_EXIST";

  private GoneFile() {}

  /**
   * The error for the operator; empty: it is about something else.
   *
   * @param error Spark's own: a streaming query that died of it is told as such
   */
  public static Optional<UnsafeEnvironmentException> in(Throwable error) {
    if (!(error instanceof SparkThrowable)) {
      return Optional.empty();
    }
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkThrowable spark && CONDITION.equals(spark.getCondition())) {
        return Optional.of(
            new UnsafeEnvironmentException(
                "Cannot read what a version of a table consists of: the file is older than the"
                    + " history that was kept ('maintain --keep-history'), or was deleted by hand."
                    + " Ask for a later settlement or version. "
                    + cause.getMessage(),
                error));
      }
    }
    return Optional.empty();
  }
}
