package io.tidemark.reconcile.generation;

import io.tidemark.spec.WindowSpec;
import io.tidemark.spec.time.PartitionUnit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A part of a rebuild that is written by one commit, so that a rebuild that was killed goes on
 * after it.
 *
 * @param partitions starts of the partitions of the aggregates that it fills
 * @param through the end of the last of them: later steps lie after it
 * @param bytes of the archive that it reads, about
 */
public record RebuildStep(NavigableSet<Instant> partitions, Instant through, long bytes) {

  /** A step reads about so much of the archive at the most, and so many of its days. */
  private static final long MOST_BYTES = 512L * 1024 * 1024;

  private static final int MOST_DAYS = 31;

  public RebuildStep {
    partitions = Collections.unmodifiableNavigableSet(new TreeSet<>(partitions));
  }

  /**
   * Plans the steps. Pure.
   *
   * @param archiveDays bytes by the start of the event day
   * @param after steps through here are done
   * @param boundary no window that ends after it is counted
   */
  static List<RebuildStep> plan(
      NavigableMap<Instant, Long> archiveDays,
      WindowSpec window,
      PartitionUnit unit,
      Optional<Instant> after,
      Instant boundary) {
    NavigableMap<Instant, Long> partitions = new TreeMap<>();
    for (Map.Entry<Instant, Long> day : archiveDays.entrySet()) {
      NavigableSet<Instant> touched = partitionsOf(day.getKey(), window, unit);
      touched.forEach(start -> partitions.merge(start, day.getValue() / touched.size(), Long::sum));
    }
    partitions
        .keySet()
        .removeIf(
            start ->
                start.plus(unit.length()).isAfter(boundary)
                    || after.filter(done -> start.isBefore(done)).isPresent());
    return grouped(partitions, unit);
  }

  /** The partitions that hold windows with events of a day. */
  private static NavigableSet<Instant> partitionsOf(
      Instant day, WindowSpec window, PartitionUnit unit) {
    NavigableSet<Instant> touched = new TreeSet<>();
    Instant end = day.plus(Duration.ofDays(1)).plus(window.size());
    for (Instant start = unit.floor(day); start.isBefore(end); start = start.plus(unit.length())) {
      touched.add(start);
    }
    return touched;
  }

  private static List<RebuildStep> grouped(
      NavigableMap<Instant, Long> partitions, PartitionUnit unit) {
    List<RebuildStep> steps = new ArrayList<>();
    NavigableSet<Instant> open = new TreeSet<>();
    long bytes = 0;
    for (Map.Entry<Instant, Long> partition : partitions.entrySet()) {
      boolean full =
          !open.isEmpty()
              && (bytes + partition.getValue() > MOST_BYTES
                  || !partition.getKey().isBefore(open.first().plus(Duration.ofDays(MOST_DAYS))));
      if (full) {
        steps.add(new RebuildStep(open, open.last().plus(unit.length()), bytes));
        open = new TreeSet<>();
        bytes = 0;
      }
      open.add(partition.getKey());
      bytes += partition.getValue();
    }
    if (!open.isEmpty()) {
      steps.add(new RebuildStep(open, open.last().plus(unit.length()), bytes));
    }
    return steps;
  }
}
