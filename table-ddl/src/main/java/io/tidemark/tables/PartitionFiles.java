package io.tidemark.tables;

import java.time.Instant;
import java.util.Optional;

/**
 * The data files of one partition of a table.
 *
 * @param condition which partition it is, as literals on the partition column, e.g. <code>
 *     `window_date` = DATE'2026-03-01'</code>; empty: the table has no partitions
 * @param start when the day or hour begins; empty: the partition is of no time
 * @param smallFiles those of {@code files} that are smaller than {@link #SMALL_BYTES}
 */
public record PartitionFiles(
    Optional<String> condition, Optional<Instant> start, long files, long smallFiles, long bytes) {

  /** Below this size opening a file costs more than reading it: 128 MiB. */
  public static final long SMALL_BYTES = 128L * 1024 * 1024;

  public PartitionFiles {
    if (smallFiles < 0 || smallFiles > files) {
      throw new IllegalArgumentException(smallFiles + " of " + files + " files are small");
    }
  }
}
