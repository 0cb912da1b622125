package io.tidemark.tests.oracle;

import java.util.Comparator;

/**
 * Where a record was read: of several copies the one with the smallest position counts.
 *
 * @param file the file's name; all files lie in one directory, so names sort as their paths do
 * @param hashOfLine MD5 of the raw line's UTF-8 bytes, in lower-case hexadecimal
 */
public record SourcePosition(String file, String hashOfLine) implements Comparable<SourcePosition> {

  private static final Comparator<SourcePosition> BY_FILE_THEN_HASH =
      Comparator.comparing(SourcePosition::file).thenComparing(SourcePosition::hashOfLine);

  @Override
  public int compareTo(SourcePosition other) {
    return BY_FILE_THEN_HASH.compare(this, other);
  }
}
