package io.tidemark.spec;

/** How the bytes of a source file become records. */
public enum FileFormat {
  /** One JSON object a line. */
  JSON(true),
  /** One record a line, columns by position in the order of the event's schema. */
  CSV(true),
  PARQUET(false);

  private final boolean text;

  FileFormat(boolean text) {
    this.text = text;
  }

  /** Whether a record's position is its path and the hash of its line, for want of a row index. */
  public boolean isText() {
    return text;
  }
}
