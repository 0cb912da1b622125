package io.tidemark.reconcile;

import io.tidemark.merge.SettlementMark;
import io.tidemark.reconcile.SettleDecision.NothingToSettle;
import io.tidemark.reconcile.SettlePlan.Step;
import io.tidemark.reconcile.SettleRequest.Again;
import io.tidemark.reconcile.SettleRequest.BehindFrontier;
import io.tidemark.reconcile.SettleRequest.Close;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.time.PartitionUnit;
import io.tidemark.spec.time.WindowEnds;
import io.tidemark.tables.KeptArchive;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Plans a settlement. Pure.
 *
 * <p>The boundary is the frontier, floored to a partition, so that what the settlement writes and
 * what the stream writes lie in different partitions. It never goes back. Example, by day: with the
 * frontier 2026-03-02T00:03Z, all windows that end at or before 2026-03-02T00:00Z are settled.
 */
public final class SettlePlanner {

  /**
   * Of fewer dirty pairs in a partition its rows need not be counted: they cost next to nothing.
   */
  static final long COUNT_ROWS_FROM = 20;

  /**
   * From this share of a partition's rows on, the partition is recounted as a whole.
   *
   * <p>Both ways read the partition's events once and its rows three times, and write its rows once
   * (the MERGE for pairs copies what it does not change). Pairs spare the shuffles of all other
   * events, but each pair passes about eleven times through the joins that find and adopt it. With
   * one event per row, the least there can be, pairs in 2% of the rows cost 4% more than the whole
   * by rows read and written; {@code SettlementCostTest} measures it, and holds it below 5%.
   */
  private static final double SATURATED_SHARE = 0.02;

  private final PartitionUnit unit;

  public SettlePlanner(PartitionUnit unit) {
    this.unit = unit;
  }

  /**
   * Plans.
   *
   * @throws SpecException if windows are asked for that are frozen
   */
  public SettleDecision plan(SettleRequest request, SettleState state) {
    if (request instanceof Again again) {
      requireKept(again, state.kept());
    }
    Optional<Instant> settled = state.last().map(SettlementMark::settledThrough);
    Optional<Instant> reachable = reachable(request, state);
    Optional<Instant> boundary =
        reachable.filter(reached -> settled.isEmpty() || reached.isAfter(settled.get()));

    List<Step> steps = new ArrayList<>();
    boundary.ifPresent(
        through -> steps.add(new Step.ClosedWindows(new WindowEnds(settled, through))));
    NavigableSet<Instant> again = again(request, settled);
    if (!again.isEmpty()) {
      steps.add(new Step.WholePartitions(again, "of '" + ((Again) request).reason() + "'"));
    }
    steps.addAll(dirtySteps(state, again));
    if (steps.isEmpty()) {
      return new NothingToSettle(why(request, state));
    }
    return new SettleDecision.Settle(
        new SettlePlan(
            state.last().map(SettlementMark::settlement).orElse(0L) + 1,
            state.archiveVersion(),
            state.frontier(),
            boundary.or(() -> settled).orElseThrow(),
            reason(request, boundary.isPresent()),
            steps));
  }

  private static Optional<String> reason(SettleRequest request, boolean movesBoundary) {
    if (request instanceof Close close && movesBoundary) {
      return Optional.of(close.reason());
    }
    return request instanceof Again again ? Optional.of(again.reason()) : Optional.empty();
  }

  private static void requireKept(Again again, KeptArchive kept) {
    if (kept.freezes(again.from())) {
      throw new SpecException(
          "Cannot settle windows from %s again: %s, so what starts before is frozen. Ask for windows from %s on."
              .formatted(again.from(), kept.inWords(), kept.start().orElseThrow()));
    }
  }

  /** The settled partitions that are asked for. */
  private NavigableSet<Instant> again(SettleRequest request, Optional<Instant> settled) {
    NavigableSet<Instant> partitions = new TreeSet<>();
    if (request instanceof Again again && settled.isPresent()) {
      for (Instant partition = unit.floor(again.from());
          partition.isBefore(again.to()) && partition.isBefore(settled.get());
          partition = partition.plus(unit.length())) {
        partitions.add(partition);
      }
    }
    return partitions;
  }

  private Optional<Instant> reachable(SettleRequest request, SettleState state) {
    if (request instanceof Close close) {
      // Never past what the archive holds: a window to come would get no estimate.
      return state.lastWindowEnd().map(end -> capped(ceiling(end), close.through()));
    } else if (request instanceof Again) {
      return Optional.empty();
    }
    BehindFrontier behind = (BehindFrontier) request;
    return state.frontier().map(frontier -> capped(frontier, behind.through()));
  }

  private Instant capped(Instant reachable, Optional<Instant> through) {
    return unit.floor(through.filter(cap -> cap.isBefore(reachable)).orElse(reachable));
  }

  /** The end of the partition that holds windows with this end. */
  private Instant ceiling(Instant windowEnd) {
    return unit.partitionOf(windowEnd).plus(unit.length());
  }

  private static List<Step> dirtySteps(SettleState state, NavigableSet<Instant> again) {
    NavigableMap<Instant, Long> pairs = new TreeMap<>();
    NavigableSet<Instant> whole = new TreeSet<>();
    state
        .dirty()
        .partitions()
        .forEach(
            (partition, dirty) -> {
              if (again.contains(partition)) {
                return;
              } else if (saturated(dirty)) {
                whole.add(partition);
              } else {
                pairs.put(partition, dirty.pairs());
              }
            });
    List<Step> steps = new ArrayList<>();
    if (!pairs.isEmpty()) {
      steps.add(
          new Step.DirtyPairs(state.newCommits(), pairs, state.dirty().wholeArchiveBecause()));
    }
    if (!whole.isEmpty()) {
      steps.add(new Step.WholePartitions(whole, "many of their pairs have events archived since"));
    }
    return steps;
  }

  private static boolean saturated(DirtyPartition dirty) {
    return dirty.pairs() >= COUNT_ROWS_FROM && dirty.pairs() >= SATURATED_SHARE * dirty.rows();
  }

  private String why(SettleRequest request, SettleState state) {
    if (request instanceof Close) {
      return state.lastWindowEnd().isEmpty()
          ? "the archive holds no event that counts"
          : "all windows of the archive are settled, and no event of a settled window has been archived since";
    }
    if (request instanceof Again again) {
      return "nothing between %s and %s is settled yet".formatted(again.from(), again.to());
    }
    if (state.frontier().isEmpty()) {
      return "the stream has not published a frontier yet: let it run, or stop it and settle with"
          + " --close --reason '…'";
    }
    String through =
        state
            .last()
            .map(last -> ", and windows through " + last.settledThrough() + " are settled")
            .orElse("");
    return "the frontier %s has not passed another %s%s, and no event of a settled window has been archived since"
        .formatted(state.frontier().get(), unitName(), through);
  }

  private String unitName() {
    return switch (unit) {
      case DAY -> "day";
      case HOUR -> "hour";
    };
  }
}
