package io.tidemark.cli;

/** What the process's end means to a scheduler. */
public final class ExitCode {

  /** Done; also: there was nothing to do, or a graceful stop. */
  public static final int DONE = 0;

  public static final int UNEXPECTED = 1;

  /** Wrong use or a wrong pipeline file: mend it. */
  public static final int WRONG_USE = 2;

  /** The data says no: look at it. */
  public static final int DATA_REFUSED = 3;

  private ExitCode() {}
}
