package io.tidemark.spec.error;

import org.jspecify.annotations.Nullable;

/** The set-up is unsafe or cannot be read: mend it. */
public final class UnsafeEnvironmentException extends TidemarkException {

  private static final long serialVersionUID = 1L;

  public UnsafeEnvironmentException(String message) {
    this(message, null);
  }

  public UnsafeEnvironmentException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public int exitCode() {
    return 5;
  }
}
