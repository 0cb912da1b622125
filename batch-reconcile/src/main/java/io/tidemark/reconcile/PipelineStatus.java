package io.tidemark.reconcile;

import io.tidemark.tables.journal.SourceGap;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * How a pipeline stands.
 *
 * @param generation the live one
 * @param frontier no window that ends at or before it is changed by the stream any more
 * @param onTimeThrough up to here the stream has seen what comes within the bound
 * @param settledThrough windows that end at or before it are settled
 * @param archiveKeptFrom the first event day that the archive keeps; empty: all are kept
 * @param builtFrom the first event day that the live generation was built from; empty: all of them
 * @param waitingRecords archived, and not yet read by the aggregate stream
 * @param lag how long the oldest of them has waited; zero where there is none
 * @param sinceStep how long ago the stream last moved its frontier or read a commit
 * @param rowsByStatus rows of the aggregates, by the status that the view shows
 * @param recordsByProblem archived records that are not counted, by problem
 * @param lastSettlement its ledger row by column; empty where nothing is settled
 * @param balance sums over all settlements, as the ledger names them
 * @param others the generations beside the live one that are not retired
 * @param unexplained by settlement in force, events that its balance cannot explain; no zeros
 * @param sourceGaps records that the source deleted before they were read; not acknowledged yet
 */
public record PipelineStatus(
    String pipeline,
    String generation,
    Instant promotedAt,
    Optional<Instant> frontier,
    Optional<Instant> onTimeThrough,
    Optional<Instant> settledThrough,
    Optional<LocalDate> archiveKeptFrom,
    Optional<LocalDate> builtFrom,
    long waitingRecords,
    Duration lag,
    Optional<Duration> sinceStep,
    Map<String, Long> rowsByStatus,
    Map<String, Long> recordsByProblem,
    Map<String, String> lastSettlement,
    Map<String, Long> balance,
    SortedMap<Long, Long> unexplained,
    List<GenerationStatus> others,
    List<SourceGap> sourceGaps) {

  public PipelineStatus {
    sourceGaps = List.copyOf(sourceGaps);
    others = List.copyOf(others);
  }

  /**
   * A generation beside the live one.
   *
   * @param state building, candidate or kept
   * @param behind archived records that the live one has read and it has not
   * @param differing rows, by its newest comparison with the live one
   */
  public record GenerationStatus(
      String generation,
      String state,
      Optional<Instant> frontier,
      long behind,
      Optional<Long> differing) {}
}
