package io.tidemark.tables;

/**
 * Names a commit so that it happens at most once: of two commits with one application, only the one
 * with the higher version (or the first, if they are equal) takes effect; the other changes
 * nothing.
 *
 * @param application who writes, and in which role; two roles of one writer need two names
 * @param version grows with each commit of the application
 * @param message JSON that lies in the same commit and is read back by {@link TableFormat#newest}
 */
public record CommitLabel(String application, long version, String message) {

  public CommitLabel {
    if (application.isBlank()) {
      throw new IllegalArgumentException("application is blank");
    }
    if (version < 0) {
      throw new IllegalArgumentException("version is negative: " + version);
    }
  }
}
