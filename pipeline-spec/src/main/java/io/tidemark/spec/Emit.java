package io.tidemark.spec;

/** When the stream writes a row. */
public enum Emit {
  /** At every batch that changes it. */
  ON_UPDATE,
  /** Once, when the watermark has passed its window's end. */
  ON_CLOSE
}
