package io.tidemark.spec.error;

import org.jspecify.annotations.Nullable;

/** The data says no: look at it. */
public final class DataRefusedException extends TidemarkException {

  private static final long serialVersionUID = 1L;

  public DataRefusedException(String message) {
    this(message, null);
  }

  public DataRefusedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public int exitCode() {
    return 3;
  }
}
