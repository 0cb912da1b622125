package io.tidemark.reconcile;

import io.tidemark.spec.time.WindowEnds;
import io.tidemark.tables.VersionRange;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What one settlement does. {@code --dry-run} prints the same plan that runs.
 *
 * @param settlement its number
 * @param archiveVersion the pinned version that it recounts
 * @param frontier the stream's frontier that it read
 * @param settledThrough windows that end at or before it are settled afterwards
 * @param closeReason why it goes past the frontier
 * @param steps what is recounted, in the order of their description; no (window, key) is in two
 */
public record SettlePlan(
    long settlement,
    long archiveVersion,
    Optional<Instant> frontier,
    Instant settledThrough,
    Optional<String> closeReason,
    List<Step> steps) {

  public SettlePlan {
    steps = List.copyOf(steps);
    if (steps.isEmpty()) {
      throw new IllegalArgumentException("a settlement without a step");
    }
  }

  /** Whether it recounts all rows of each partition that it touches. */
  boolean isOfWholePartitions() {
    return steps.stream().noneMatch(Step.DirtyPairs.class::isInstance);
  }

  /** A part of the aggregates that is recounted. */
  public sealed interface Step {

    /** In words, for an operator. */
    String description();

    /** Windows that are settled for the first time, as a whole. */
    record ClosedWindows(WindowEnds ends) implements Step {
      @Override
      public String description() {
        return ends.after()
            .map(
                after ->
                    "recount all windows that end after %s and at or before %s"
                        .formatted(after, ends.through()))
            .orElse("recount all windows that end at or before " + ends.through());
      }
    }

    /**
     * Pairs (window, key) that are settled and have had events archived since.
     *
     * @param commits of the archive
     * @param pairs their number, by the start of the partition
     * @param wholeArchiveBecause why they had to be looked for in the whole archive, if so
     */
    record DirtyPairs(
        VersionRange commits,
        NavigableMap<Instant, Long> pairs,
        Optional<String> wholeArchiveBecause)
        implements Step {

      public DirtyPairs {
        pairs = Collections.unmodifiableNavigableMap(new TreeMap<>(pairs));
      }

      @Override
      public String description() {
        return "recount %d settled (window, key) pairs in %s, which have events in %s%s"
            .formatted(
                pairs.values().stream().mapToLong(Long::longValue).sum(),
                inWords(pairs.navigableKeySet()),
                archiveVersions(commits),
                wholeArchiveBecause
                    .map(why -> "; found by reading the whole archive, because " + why)
                    .orElse(""));
      }
    }

    /**
     * Settled partitions that are recounted as a whole.
     *
     * @param partitions their starts
     * @param why in words, to follow "because"
     */
    record WholePartitions(NavigableSet<Instant> partitions, String why) implements Step {

      public WholePartitions {
        partitions = Collections.unmodifiableNavigableSet(new TreeSet<>(partitions));
      }

      @Override
      public String description() {
        return "recount %s, settled before, as a whole, because %s"
            .formatted(inWords(partitions), why);
      }
    }

    private static String inWords(NavigableSet<Instant> starts) {
      String shown =
          starts.stream().limit(SHOWN).map(Instant::toString).collect(Collectors.joining(", "));
      String more = starts.size() > SHOWN ? ", … to " + starts.last() : "";
      return "%d partition%s (%s%s)"
          .formatted(starts.size(), starts.size() == 1 ? "" : "s", shown, more);
    }

    private static String archiveVersions(VersionRange commits) {
      return commits.after() + 1 == commits.through()
          ? "archive version " + commits.through()
          : "archive versions %d to %d".formatted(commits.after() + 1, commits.through());
    }

    /** How many partitions a description names. */
    int SHOWN = 3;
  }
}
