package io.tidemark.ingest.kafka;

/**
 * Offsets of a partition.
 *
 * @param first inclusive
 * @param end exclusive
 */
record OffsetRange(long first, long end) {

  OffsetRange {
    if (first < 0 || end < first) {
      throw new IllegalArgumentException("offsets from %d to %d".formatted(first, end));
    }
  }

  boolean holds(long offset) {
    return first <= offset && offset < end;
  }

  long size() {
    return end - first;
  }
}
