package io.tidemark.ingest;

/** What happens where records were deleted at the source before they were read. */
public enum OnSourceGap {
  /** Ingest does not start, or ends. */
  STOP,
  /**
   * The gap that is found at the start is noted, and ingest goes on behind it; a later one ends it.
   */
  ACCEPT
}
