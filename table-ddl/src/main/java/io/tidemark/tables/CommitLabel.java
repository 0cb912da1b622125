package io.tidemark.tables;

/**
 * Names a commit so that it happens at most once: of two commits with one application, only the one
 * with the higher version (or the first, if they are equal) takes effect; the other changes
 * nothing.
 *
 * @param application who writes, and in which role; two roles of one writer need two names
 * @param version grows with each commit of the application
 * @param message JSON that lies in the same commit and is read back by {@link TableFormat#newest}
 * @param writers who else may write under this application at the same time
 */
public record CommitLabel(String application, long version, String message, Writers writers) {

  /** Who may write under an application at one time. */
  public enum Writers {
    /**
     * One: the caller holds a lock against all others. What was committed before is then looked up
     * once, at a process's first commit, instead of in each commit's transaction.
     */
    ONE,
    /** Several: the commit's transaction itself decides which of them wins. */
    SEVERAL
  }

  public CommitLabel {
    if (application.isBlank()) {
      throw new IllegalArgumentException("application is blank");
    }
    if (version < 0) {
      throw new IllegalArgumentException("version is negative: " + version);
    }
  }

  public static CommitLabel ofOneWriter(String application, long version) {
    return ofOneWriter(application, version, "{}");
  }

  public static CommitLabel ofOneWriter(String application, long version, String message) {
    return new CommitLabel(application, version, message, Writers.ONE);
  }

  public static CommitLabel ofSeveralWriters(String application, long version, String message) {
    return new CommitLabel(application, version, message, Writers.SEVERAL);
  }
}
