package io.tidemark.reconcile;

import io.tidemark.spec.time.WindowEnds;
import io.tidemark.tables.VersionRange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one settlement does. {@code --dry-run} prints the same plan that runs.
 *
 * @param settlement its number
 * @param archiveVersion the pinned version that it recounts
 * @param frontier the stream's frontier that it read
 * @param settledThrough windows that end at or before it are settled afterwards
 * @param closeReason why it goes past the frontier
 * @param steps what is recounted, in the order of their description
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
     * @param settledThrough the boundary of the settlement before
     */
    record DirtyPairs(VersionRange commits, Instant settledThrough) implements Step {
      @Override
      public String description() {
        return "recount the (window, key) pairs that end at or before %s and have events in archive versions %d to %d"
            .formatted(settledThrough, commits.after() + 1, commits.through());
      }
    }
  }
}
