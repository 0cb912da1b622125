package io.tidemark.tables.journal;

/**
 * Offsets that a source deleted before they were read.
 *
 * @param first inclusive
 * @param end exclusive
 */
public record SourceGap(String topic, int partition, long first, long end) {

  public SourceGap {
    if (first < 0 || end <= first) {
      throw new IllegalArgumentException("a gap from offset %d to %d".formatted(first, end));
    }
  }

  public long offsets() {
    return end - first;
  }

  /** For people. */
  public String inWords() {
    return offsets() == 1
        ? "partition %d, offset %d".formatted(partition, first)
        : "partition %d, offsets %d to %d (%d)".formatted(partition, first, end - 1, offsets());
  }
}
