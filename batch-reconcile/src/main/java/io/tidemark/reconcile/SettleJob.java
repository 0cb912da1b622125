package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.tidemark.merge.AuditResult;
import io.tidemark.merge.Breach;
import io.tidemark.merge.ConflictRetry;
import io.tidemark.merge.SettlementMark;
import io.tidemark.merge.SettlementMarks.Adopted;
import io.tidemark.reconcile.SettleDecision.NothingToSettle;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.Memberships;
import io.tidemark.spec.computation.RecordCounts;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TableFormat.Inserts;
import io.tidemark.tables.VersionRange;
import io.tidemark.tables.journal.ProgressJournal;
import io.tidemark.tables.journal.ProgressStep;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;

/**
 * The job {@code settle}: recounts what the stream has left behind from a pinned version of the
 * archive and adopts the exact values by one versioned MERGE.
 *
 * <p>A crash at any point leaves the old state or the new one. Where it left out the ledger's row,
 * the next run writes it from the commit before it does anything else. Of two settlements at once,
 * one is adopted; the other plans anew from what is left.
 */
public final class SettleJob {

  private static final int SHOWN_DIFFERENCES = 20;

  /** Each plans anew, from what the writer that came first has left. */
  private static final int ATTEMPTS = 3;

  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final ProgressJournal progress;
  private final SettlementCommits commits;
  private final Supplier<String> attempts;
  private final ConflictRetry retry;

  /**
   * @param attempts names each attempt, unlike any before
   */
  public SettleJob(
      SparkSession spark,
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      Clock clock,
      Supplier<String> attempts) {
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.progress = new ProgressJournal(spark, format, tables.progress(), clock);
    this.commits = SettlementCommits.of(spark, tables, format, clock);
    this.attempts = attempts;
    this.retry = ConflictRetry.times(ATTEMPTS);
  }

  /**
   * Settles, unless that breaks a limit for which the pipeline file says hold.
   *
   * @throws ConflictException if other writers came first at every attempt
   */
  public SettleOutcome run(SettleRequest request) {
    return run(request, Optional.empty());
  }

  /**
   * Settles, whatever limits that breaks.
   *
   * @param reason goes into the commit and the ledger if a limit is broken
   * @throws ConflictException if other writers came first at every attempt
   */
  public SettleOutcome runAcceptingBreaches(SettleRequest request, String reason) {
    return run(request, Optional.of(reason));
  }

  private SettleOutcome run(SettleRequest request, Optional<String> acceptance) {
    return retry.call(() -> attempt(request, acceptance));
  }

  private SettleOutcome attempt(SettleRequest request, Optional<String> acceptance) {
    commits.newestInLedger();
    try (Attempt attempt = plan(request)) {
      if (attempt.decision() instanceof NothingToSettle nothing) {
        return nothing(nothing, attempt);
      }
      return adopt(((SettleDecision.Settle) attempt.decision()).plan(), attempt, acceptance);
    }
  }

  private SettleOutcome adopt(SettlePlan plan, Attempt attempt, Optional<String> acceptance) {
    try (ClassifiedRows classified = classify(plan, attempt)) {
      SettlementMark mark = mark(plan, attempt, classified, acceptance);
      Adoption adoption = new Adoption(spec, tables, format, commits, attempt.state().kept());
      if (spec.settle().filter(mark.audit()::isHeldBy).isPresent()) {
        adoption.writeCorrections(classified, mark);
        return new SettleOutcome.Held(plan, mark);
      }
      Adopted adopted = adoption.write(plan, classified, mark).orElseThrow(() -> lost(mark));
      return new SettleOutcome.Adopted(plan, mark, adopted.tableVersion());
    }
  }

  /** Says what {@link #run} would do; writes nothing. */
  public SettleOutcome dryRun(SettleRequest request) {
    try (Attempt attempt = plan(request)) {
      if (attempt.decision() instanceof NothingToSettle nothing) {
        return nothing(nothing, attempt);
      }
      SettlePlan plan = ((SettleDecision.Settle) attempt.decision()).plan();
      try (ClassifiedRows classified = classify(plan, attempt)) {
        return new SettleOutcome.DryRun(
            plan,
            mark(plan, attempt, classified, Optional.empty()),
            RowDifference.largest(classified.rows(), spec, SHOWN_DIFFERENCES));
      }
    }
  }

  private SettleOutcome nothing(NothingToSettle nothing, Attempt attempt) {
    long frozen = frozen(attempt);
    return new SettleOutcome.Nothing(
        frozen == 0
            ? nothing.why()
            : nothing.why()
                + ". Of frozen windows came %d memberships, which no settlement counts: %s"
                    .formatted(frozen, attempt.state().kept().inWords()),
        attempt
            .state()
            .last()
            .filter(SettlementMark::settlesAnything)
            .map(SettlementMark::settledThrough));
  }

  /** What one attempt has read and decided, in the order in which it must be read. */
  private record Attempt(
      SettleDecision decision,
      SettleState state,
      Optional<ProgressStep> newestStep,
      long tableVersion,
      Inserts inserts,
      Optional<DirtyPairs> pairs)
      implements AutoCloseable {

    @Override
    public void close() {
      pairs.ifPresent(DirtyPairs::close);
    }
  }

  /**
   * The frontier is read before the versions are pinned: all merges behind it are then in the
   * pinned version of the aggregates. What is kept of the archive is read after: what is gone from
   * the pinned version is then left alone.
   */
  private Attempt plan(SettleRequest request) {
    Optional<ProgressStep> newestStep = progress.newest();
    long archiveVersion = format.version(tables.archive());
    long tableVersion = format.version(tables.aggregates());
    Optional<SettlementMark> last = commits.newestAt(tableVersion).map(Adopted::mark);
    Optional<Instant> lastWindowEnd =
        request instanceof SettleRequest.Close
            ? Memberships.lastWindowEnd(format.read(tables.archive(), archiveVersion), spec)
            : Optional.empty();
    SettleState readable =
        new SettleState(
            last,
            newestStep.flatMap(ProgressStep::frontier),
            archiveVersion,
            lastWindowEnd,
            Dirty.nothing(),
            KeptArchive.of(format, tables));
    VersionRange newCommits = readable.newCommits();
    Inserts inserts = format.inserts(tables.archive(), newCommits);
    Optional<DirtyPairs> pairs =
        last.filter(mark -> mark.settlesAnything() && !newCommits.isEmpty())
            .map(mark -> dirtyPairs(mark, inserts, readable.kept()));
    SettleState state =
        pairs
            .map(
                found ->
                    readable.with(
                        new Dirty(dirty(found, tableVersion), inserts.wholeTableBecause())))
            .orElse(readable);
    return new Attempt(
        new SettlePlanner(spec.partition()).plan(request, state),
        state,
        newestStep,
        tableVersion,
        inserts,
        pairs);
  }

  private DirtyPairs dirtyPairs(SettlementMark last, Inserts inserts, KeptArchive kept) {
    return DirtyPairs.of(
        kept.recountable(Memberships.of(inserts.rows(), spec), Memberships.WINDOW_START)
            .filter(col(Memberships.WINDOW_END).leq(lit(last.settledThrough()))),
        spec);
  }

  private NavigableMap<Instant, DirtyPartition> dirty(DirtyPairs pairs, long tableVersion) {
    NavigableMap<Instant, Long> numbers = pairs.byPartition();
    Set<Instant> many = new TreeSet<>(numbers.keySet());
    many.removeIf(start -> numbers.getOrDefault(start, 0L) < SettlePlanner.COUNT_ROWS_FROM);
    PartitionColumn partition = new PartitionColumn(spec.partition());
    Map<Instant, Long> rows =
        many.isEmpty()
            ? Map.of()
            : partition.rows(
                format.read(tables.aggregates(), tableVersion).filter(partition.in(many)));
    NavigableMap<Instant, DirtyPartition> dirty = new TreeMap<>();
    numbers.forEach(
        (start, number) ->
            dirty.put(start, new DirtyPartition(number, rows.getOrDefault(start, 0L))));
    return dirty;
  }

  private ClassifiedRows classify(SettlePlan plan, Attempt attempt) {
    Recount recount =
        new Recount(
            spec,
            format.readWithCommitVersions(tables.archive(), plan.archiveVersion()),
            format.read(tables.aggregates(), attempt.tableVersion()),
            StreamBoundsReader.read(progress, attempt.newestStep())
                .settledThrough(plan.settledThrough()),
            attempt.state().last(),
            attempt.state().kept());
    return ClassifiedRows.of(
        recount.classified(plan.steps(), attempt.pairs()), attempt.state().last(), spec);
  }

  private SettlementMark mark(
      SettlePlan plan, Attempt attempt, ClassifiedRows classified, Optional<String> acceptance) {
    RecordCounts records = RecordCounts.of(attempt.inserts().rows(), spec);
    Map<String, Long> counts = new HashMap<>(classified.countsByName());
    counts.put("archived", records.archived());
    counts.put("rejected", records.rejected());
    counts.put("filtered", records.filtered());
    counts.put("considered", records.considered());
    counts.put("frozen", frozen(attempt));
    return new SettlementMark(
        plan.settlement(),
        attempts.get(),
        plan.archiveVersion(),
        plan.frontier(),
        plan.settledThrough(),
        plan.closeReason(),
        counts,
        Optional.empty(),
        audit(plan, attempt, classified, counts, acceptance));
  }

  /** Memberships that came since, in windows that nothing recounts any more. */
  private long frozen(Attempt attempt) {
    KeptArchive kept = attempt.state().kept();
    return kept.from().isEmpty()
        ? 0
        : kept.frozen(Memberships.of(attempt.inserts().rows(), spec), Memberships.WINDOW_START)
            .count();
  }

  private AuditResult audit(
      SettlePlan plan,
      Attempt attempt,
      ClassifiedRows classified,
      Map<String, Long> counts,
      Optional<String> acceptance) {
    if (spec.settle().isEmpty()) {
      return AuditResult.CLEAN;
    }
    EvidenceReader evidence =
        new EvidenceReader(
            spec,
            plan,
            attempt.state().last(),
            format.read(tables.aggregates(), attempt.tableVersion()));
    List<Breach> breaches =
        new Audit(spec.settle().get()).breaches(evidence.read(classified, counts));
    return breaches.isEmpty() ? AuditResult.CLEAN : new AuditResult(breaches, acceptance);
  }

  private ConflictException lost(SettlementMark mark) {
    return new ConflictException(
        "Cannot adopt settlement "
            + mark.settlement()
            + " of "
            + spec.name()
            + ": another settlement with this number was adopted first. Nothing of this one was"
            + " adopted; run settle again if something is left to settle.");
  }
}
