package io.tidemark.spec.error;

import org.jspecify.annotations.Nullable;

/**
 * A failure that the user can act on. The message says what was being done, to which object, what
 * is wrong with the values, and what to do.
 */
public abstract sealed class TidemarkException extends RuntimeException
    permits SpecException, DataRefusedException, ConflictException, UnsafeEnvironmentException {

  private static final long serialVersionUID = 1L;

  protected TidemarkException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The process's exit code, as a scheduler reads it. */
  public abstract int exitCode();
}
