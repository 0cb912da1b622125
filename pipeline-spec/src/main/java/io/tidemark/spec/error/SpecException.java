package io.tidemark.spec.error;

import org.jspecify.annotations.Nullable;

/** Wrong use or a wrong pipeline file: mend it. */
public final class SpecException extends TidemarkException {

  private static final long serialVersionUID = 1L;

  public SpecException(String message) {
    this(message, null);
  }

  public SpecException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public int exitCode() {
    return 2;
  }
}
