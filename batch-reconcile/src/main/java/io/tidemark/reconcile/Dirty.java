package io.tidemark.reconcile;

import java.time.Instant;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is dirty among the settled windows.
 *
 * @param partitions by their start
 * @param wholeArchiveBecause why it could not be found from the archive's commits, but only by
 *     reading all of the archive, in words; empty: it could
 */
public record Dirty(
    NavigableMap<Instant, DirtyPartition> partitions, Optional<String> wholeArchiveBecause) {

  public Dirty {
    partitions = Collections.unmodifiableNavigableMap(new TreeMap<>(partitions));
  }

  public static Dirty nothing() {
    return new Dirty(new TreeMap<>(), Optional.empty());
  }
}
