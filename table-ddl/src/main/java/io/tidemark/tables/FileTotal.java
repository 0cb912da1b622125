package io.tidemark.tables;

/** How many files, and how many bytes they take. */
public record FileTotal(long files, long bytes) {

  public static final FileTotal NONE = new FileTotal(0, 0);

  public FileTotal plus(FileTotal other) {
    return new FileTotal(files + other.files, bytes + other.bytes);
  }
}
