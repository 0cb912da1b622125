package io.tidemark.tables;

/**
 * Versions of a table: {@code (after, through]}.
 *
 * @param after exclusive
 * @param through inclusive
 */
public record VersionRange(long after, long through) {

  public VersionRange {
    if (through < after) {
      throw new IllegalArgumentException(
          "version range ends before it begins: " + after + " to " + through);
    }
  }

  /** All versions from the first, 0, on. */
  public static VersionRange through(long version) {
    return new VersionRange(-1, version);
  }

  /** Versions after one of them, through the latest; none where that is not newer. */
  public static VersionRange since(long version, long latest) {
    return new VersionRange(version, Math.max(version, latest));
  }

  public boolean isEmpty() {
    return through == after;
  }
}
