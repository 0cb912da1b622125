package io.tidemark.reconcile.maintain;

import io.tidemark.merge.SettlementMark;
import io.tidemark.merge.SettlementMarks.Adopted;
import io.tidemark.reconcile.maintain.MaintainOutcome.Upkeep;
import io.tidemark.reconcile.maintain.TableUpkeep.CompactionResult;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.FileTotal;
import io.tidemark.tables.PartitionFiles;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.ServedPipeline;
import io.tidemark.tables.TableDefinition;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.journal.GenerationState;
import io.tidemark.tables.journal.ProgressStep;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;

/**
 * The job {@code maintain}: compacts what writers have left behind, deletes what is older than the
 * history and, where that is asked for, days of the archive. Changes no number, and may run beside
 * the stream and a settlement.
 *
 * <p>It gives way: a stream never meets it, for it writes to other partitions or appends; a
 * settlement may, in a partition with dirty pairs, where the one that commits second makes its work
 * anew (the settlement) or leaves it (this job). Killed at any point it leaves whole tables; the
 * next run does the rest. Run again, it changes nothing.
 */
public final class MaintainJob {

  /**
   * A table that has been quiet for longer is not compacted: with a new commit Delta may clean up
   * the log behind it, and jobs look their newest commit up there.
   */
  private static final Duration LONGEST_QUIET = TableDefinition.HISTORY.minusDays(1);

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final ServedGeneration generation;
  private final PipelineTables tables;
  private final TableFormat format;
  private final ArchiveExpiry expiry;
  private final Clock clock;
  private final Configuration hadoop;

  /**
   * Maintains one generation's tables, and the live one's job also those that all share.
   *
   * @param pipeline as it is now: what any generation needs of the archive is kept
   * @param generation one of its own
   */
  public MaintainJob(
      SparkSession spark,
      Supplier<ServedPipeline> pipeline,
      ServedGeneration generation,
      TableFormat format,
      Clock clock) {
    this.spark = spark;
    this.generation = generation;
    this.spec = generation.spec();
    this.tables = generation.tables();
    this.format = format;
    this.expiry =
        new ArchiveExpiry(
            tables.archive(),
            format,
            () ->
                pipeline.get().readers().stream()
                    .map(reader -> GenerationReach.of(spark, format, clock, reader))
                    .toList());
    this.clock = clock;
    this.hadoop = spark.sparkContext().hadoopConfiguration();
  }

  /**
   * Maintains.
   *
   * @param history how much of the past to keep
   * @param archive how much of the settled past the archive keeps; empty: all that it has. Only the
   *     live generation's job deletes any
   * @throws SpecException if one of them is shorter than a stream, an undoing or a rewind needs
   */
  public MaintainOutcome run(Duration history, Optional<Duration> archive) {
    Plan plan = plan(history, archive);
    Optional<ExpiredDays> expired =
        plan.expired().map(days -> expiry.delete(days, plan.expiredFrom()));
    // Files that are replaced now are younger than any history, so the two don't meet.
    Map<Target, CompactionResult> compacted = new LinkedHashMap<>();
    plan.compaction()
        .forEach(
            (target, chosen) ->
                compacted.put(
                    target,
                    new Compactor(partition -> format.compact(target.path(), partition))
                        .run(chosen)));
    List<TableUpkeep> upkeep = new ArrayList<>();
    compacted.forEach(
        (target, result) ->
            upkeep.add(
                new TableUpkeep(target.name(), result, format.vacuum(target.path(), history))));
    return new MaintainOutcome.Done(
        new Upkeep(
            history,
            expired,
            upkeep,
            checkpoints(history).remove(),
            runs(history).remove().plus(killedRuns(history).remove())));
  }

  /**
   * Says what {@link #run} would do; writes nothing.
   *
   * @throws SpecException as {@link #run} does
   */
  public MaintainOutcome dryRun(Duration history, Optional<Duration> archive) {
    Plan plan = plan(history, archive);
    List<TableUpkeep> upkeep = new ArrayList<>();
    plan.compaction()
        .forEach(
            (target, chosen) -> {
              FileTotal removable = format.removable(target.path(), history);
              upkeep.add(new TableUpkeep(target.name(), Compactor.dryRun(chosen), removable));
            });
    return new MaintainOutcome.DryRun(
        new Upkeep(
            history,
            plan.expired(),
            upkeep,
            checkpoints(history).removable(),
            runs(history).removable().plus(killedRuns(history).removable())));
  }

  /**
   * Looks whether enough is kept, also for a generation that is still being built; writes nothing.
   *
   * @throws SpecException as {@link #run} does
   */
  public void requireEnoughKept(Duration history, Optional<Duration> archive) {
    requireHistory(history);
    archive
        .filter(asked -> isLive())
        .ifPresent(retention -> expiry.plan(retention, expiry.generations().get()));
  }

  private record Target(String name, TablePath path) {}

  /**
   * What is to be done.
   *
   * @param expiredFrom how far the generations had come that expired days were planned for
   */
  private record Plan(
      List<GenerationReach> expiredFrom,
      Optional<ExpiredDays> expired,
      Map<Target, List<PartitionFiles>> compaction) {}

  /** What to delete and to compact, after a check that enough is kept. */
  private Plan plan(Duration history, Optional<Duration> archive) {
    GenerationReach reach = requireHistory(history);
    boolean expires = archive.isPresent() && isLive();
    List<GenerationReach> all = expires ? expiry.generations().get() : List.of();
    Optional<ExpiredDays> expired =
        archive.filter(asked -> expires).map(retention -> expiry.plan(retention, all));
    CompactionPlanner planner =
        new CompactionPlanner(
            spec.partition(),
            reach
                .newest()
                .map(Adopted::mark)
                .filter(SettlementMark::settlesAnything)
                .map(SettlementMark::settledThrough),
            reach.step().flatMap(ProgressStep::frontier));
    Map<Target, List<PartitionFiles>> plan = new LinkedHashMap<>();
    if (isLive()) {
      plan(
          plan,
          "archive",
          tables.archive(),
          days ->
              planner.ofArchive(days.stream().filter(day -> !isExpired(day, expired)).toList()));
    }
    plan(plan, "aggregates", tables.aggregates(), planner::ofAggregates);
    plan(plan, "progress", tables.progress(), planner::ofJournal);
    plan(plan, "settlements", tables.settlements(), planner::ofJournal);
    plan(plan, "corrections", tables.corrections(), planner::ofJournal);
    if (isLive()) {
      // Its newest commit says which generation is live, and must stay in its log.
      plan(plan, "generations", tables.generations(), none -> List.of());
    }
    return new Plan(all, expired, plan);
  }

  private GenerationReach requireHistory(Duration history) {
    GenerationReach reach = GenerationReach.of(spark, format, clock, generation);
    Instant now = clock.instant();
    HistoryNeeds needs =
        new HistoryNeedsReader(format, tables)
            .before(now.minus(history), reach.step(), reach.newest());
    new HistoryInterlock(spec).require(generation.generation(), history, needs, now);
    return reach;
  }

  private boolean isLive() {
    return generation.row().state() == GenerationState.LIVE;
  }

  private static boolean isExpired(PartitionFiles day, Optional<ExpiredDays> expired) {
    return expired.filter(days -> days.contain(day)).isPresent();
  }

  private void plan(
      Map<Target, List<PartitionFiles>> plan,
      String name,
      TablePath table,
      UnaryOperator<List<PartitionFiles>> choice) {
    plan.put(
        new Target(name, table), isQuiet(table) ? List.of() : choice.apply(format.files(table)));
  }

  private boolean isQuiet(TablePath table) {
    return format
        .committedAt(table, format.version(table))
        .filter(latest -> latest.isAfter(clock.instant().minus(LONGEST_QUIET)))
        .isEmpty();
  }

  private Leftovers checkpoints(Duration history) {
    return Leftovers.ofCheckpoints(folder(tables.checkpoints()), clock.instant().minus(history));
  }

  private KilledRuns killedRuns(Duration history) {
    return new KilledRuns(folder(tables.bothModes()), clock.instant().minus(history));
  }

  private Leftovers runs(Duration history) {
    return Leftovers.ofRuns(folder(tables.runs()), clock.instant().minus(history));
  }

  private Folder folder(String location) {
    return Folder.at(location, hadoop);
  }
}
