package io.tidemark.spec.error;

import org.jspecify.annotations.Nullable;

/** Another job was quicker: run again. */
public final class ConflictException extends TidemarkException {

  private static final long serialVersionUID = 1L;

  public ConflictException(String message) {
    this(message, null);
  }

  public ConflictException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public int exitCode() {
    return 4;
  }
}
