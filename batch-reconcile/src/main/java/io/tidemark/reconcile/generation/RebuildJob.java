package io.tidemark.reconcile.generation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.merge.AuditResult;
import io.tidemark.merge.ConflictRetry;
import io.tidemark.merge.EvaluatedRows;
import io.tidemark.merge.MergeScope;
import io.tidemark.merge.SettlementMark;
import io.tidemark.reconcile.Recount;
import io.tidemark.reconcile.SettlementCommits;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.Aggregation;
import io.tidemark.spec.computation.RecordCounts;
import io.tidemark.spec.computation.StreamBounds;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.CommitMessage;
import io.tidemark.tables.Generation;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.LabelledCommit;
import io.tidemark.tables.PartitionFiles;
import io.tidemark.tables.PipelineCatalog;
import io.tidemark.tables.PipelineSetup;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.ServedPipeline;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.VersionRange;
import io.tidemark.tables.journal.BuildStart;
import io.tidemark.tables.journal.GenerationRow;
import io.tidemark.tables.journal.GenerationRow.Definition;
import io.tidemark.tables.journal.GenerationState;
import io.tidemark.tables.journal.ProgressJournal;
import io.tidemark.tables.journal.ProgressStep;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The job {@code rebuild}: builds the next generation beside the live one. A batch counts the
 * archive, at a pinned version, up to the live frontier floored to a partition; a stream that
 * starts at a computed version of the archive is to count what lies after. Neither touches the live
 * generation.
 *
 * <p>The batch part is made of steps, each one commit. Killed at any point, the next run goes on
 * after the last of them.
 */
public final class RebuildJob {

  /** Under which the steps are committed to the aggregates. */
  private static final String APPLICATION = "rebuild";

  private static final long FIRST_SETTLEMENT = 1;

  private final SparkSession spark;
  private final PipelineSetup setup;
  private final PipelineSpec spec;
  private final TableFormat format;
  private final Clock clock;
  private final String run;
  private final DiskSpace space;
  private final Consumer<String> messages;

  /**
   * @param setup of the changed pipeline file
   * @param spec what that file means
   * @param run names this run, unlike any before
   * @param messages takes sentences for the operator
   */
  public RebuildJob(
      SparkSession spark,
      PipelineSetup setup,
      PipelineSpec spec,
      TableFormat format,
      Clock clock,
      String run,
      DiskSpace space,
      Consumer<String> messages) {
    this.spark = spark;
    this.setup = setup;
    this.spec = spec;
    this.format = format;
    this.clock = clock;
    this.run = run;
    this.space = space;
    this.messages = messages;
  }

  /**
   * Plans; writes nothing.
   *
   * @return empty: there is nothing to build, as a generation was built from this file already
   * @throws SpecException if the archive would have to be read otherwise, another candidate is
   *     there, or the rewind is too short
   * @throws io.tidemark.spec.error.DataRefusedException if there is no room
   * @throws UnsafeEnvironmentException if the archive's commits can't be read any more from the
   *     rewind on
   */
  public Optional<RebuildPlan> plan(RebuildRequest request) {
    ServedPipeline pipeline = setup.openWhateverTheFileSays();
    ServedGeneration live = pipeline.live();
    Definition definition = setup.definition();
    requireSameArchive(live);
    Optional<GenerationRow> begun =
        pipeline
            .generations()
            .candidate()
            .filter(row -> row.definition().fingerprint().equals(definition.fingerprint()));
    boolean goesOn = begun.filter(row -> row.state() == GenerationState.BUILDING).isPresent();
    if (goesOn
        && (request.replay() || request.rewind().isPresent() || request.from().isPresent())) {
      throw new SpecException(
          "Generation %s has been begun, and its start is fixed: run rebuild without --replay, --rewind and --from to go on, or give it up with 'tidemark retire'."
              .formatted(begun.orElseThrow().generation()));
    }
    if (begun.isPresent() && (goesOn || !request.again())) {
      return begun
          .filter(row -> row.state() == GenerationState.BUILDING)
          .map(row -> goingOn(row, live));
    }
    if (!request.again() && setup.builtFromThis(pipeline.generations()).isPresent()) {
      return Optional.empty();
    }
    RebuildPlan plan = fresh(request, live, pipeline.generations().next(), definition);
    pipeline.generations().with(plan.candidate().row());
    return Optional.of(plan);
  }

  private void requireSameArchive(ServedGeneration live) {
    if (!setup.sharesArchiveWith(live.row())) {
      throw new SpecException(
          "The pipeline file reads the archive's source otherwise than generation %s of %s does:\n%s\nThe archive holds what has been read as it was read, so it can't be rebuilt from; only new columns at the end of event.schema are no change. Take that change back, or give the pipeline another name and ingest anew."
              .formatted(
                  live.generation(),
                  spec.name(),
                  PipelineSetup.inWords(setup.differencesFrom(live.row()))));
    }
  }

  private RebuildPlan fresh(
      RebuildRequest request, ServedGeneration live, Generation generation, Definition definition) {
    // The frontier before the version: all that the batch part counts is then in the version.
    Optional<Instant> boundary =
        request.replay()
            ? Optional.empty()
            : progress(live.tables())
                .newest()
                .flatMap(ProgressStep::frontier)
                .map(spec.partition()::floor);
    if (boundary.isEmpty() && (request.rewind().isPresent() || request.from().isPresent())) {
      throw new SpecException(
          "The live stream has no frontier yet, so all of the archive will be streamed. Run rebuild without --rewind and --from.");
    }
    request.from().ifPresent(day -> requireBefore(boundary.orElseThrow(), day));
    long version = format.version(live.tables().archive());
    Optional<Rewind> rewind =
        boundary.map(
            end ->
                Rewind.of(format, live.tables().archive(), version, spec, end, request.rewind()));
    BuildStart start =
        boundary
            .map(
                end ->
                    BuildStart.at(
                        end, request.from(), version, rewind.orElseThrow().firstVersion()))
            .orElse(BuildStart.ALL_STREAMED);
    requireStreamable(
        live.tables(),
        start,
        "Let the live stream catch up, so that less has to be streamed, and rebuild then (without --replay).");
    return planned(
        GenerationRow.building(generation, definition, start, clock.instant()),
        live,
        false,
        rewind,
        Optional.empty());
  }

  private void requireBefore(Instant boundary, LocalDate day) {
    Instant start = day.atStartOfDay(ZoneOffset.UTC).toInstant();
    // A window that starts earlier and ends later would be the stream's, and never be settled.
    Instant latest = boundary.minus(spec.window().size());
    if (start.isAfter(latest) || !start.isAfter(Instant.EPOCH)) {
      throw new SpecException(
          "Cannot build from %s on: the batch part ends at %s, so give a day up to %s%s."
              .formatted(
                  day,
                  boundary,
                  latest.atZone(ZoneOffset.UTC).toLocalDate(),
                  start.isAfter(Instant.EPOCH) ? "" : " and after 1970-01-01"));
    }
  }

  /** A stream reads the files that commits added, not those that these were compacted into. */
  private void requireStreamable(PipelineTables live, BuildStart start, String remedy) {
    VersionRange streamed =
        VersionRange.since(start.firstVersion() - 1, format.version(live.archive()));
    format
        .inserts(live.archive(), streamed)
        .wholeTableBecause()
        .ifPresent(
            why -> {
              throw new UnsafeEnvironmentException(
                  "Cannot stream %s from version %d on, because %s. %s"
                      .formatted(live.archive(), start.firstVersion(), why, remedy));
            });
  }

  private RebuildPlan goingOn(GenerationRow row, ServedGeneration live) {
    requireStreamable(
        live.tables(),
        row.start(),
        "Give %s up with 'tidemark retire … %s', and build anew."
            .formatted(row.generation(), row.generation()));
    Optional<Done> done =
        format.exists(live.tables().of(row.generation()).aggregates())
            ? done(live.tables().of(row.generation()))
            : Optional.empty();
    return planned(row, live, true, Optional.empty(), done.map(Done::through));
  }

  private RebuildPlan planned(
      GenerationRow row,
      ServedGeneration live,
      boolean goesOn,
      Optional<Rewind> rewind,
      Optional<Instant> after) {
    PipelineTables tables = live.tables().of(row.generation());
    KeptArchive kept = kept(row, tables);
    List<RebuildStep> steps =
        row.start()
            .boundary()
            .map(
                boundary ->
                    RebuildStep.plan(
                        archiveDays(tables, kept),
                        spec.window(),
                        spec.partition(),
                        after,
                        boundary))
            .orElse(List.of());
    DiskSpace.Need need = space.forCopyOf(format, live.tables().aggregates(), live.tables().root());
    boolean hasTables = goesOn && format.exists(tables.aggregates());
    need.after(hasTables ? format.bytes(tables.aggregates()) : 0, need.free())
        .require(live.tables().root());
    return new RebuildPlan(
        new ServedGeneration(row, spec, tables), goesOn, steps, rewind, kept, need);
  }

  /** What is built: the tables may not be there yet. */
  private KeptArchive kept(GenerationRow row, PipelineTables tables) {
    return KeptArchive.of(format, tables.archive()).builtFrom(row.start().from());
  }

  private NavigableMap<Instant, Long> archiveDays(PipelineTables tables, KeptArchive kept) {
    NavigableMap<Instant, Long> days = new TreeMap<>();
    for (PartitionFiles day : format.files(tables.archive())) {
      day.start()
          .filter(start -> !kept.freezes(start))
          .ifPresent(start -> days.put(start, day.bytes()));
    }
    return days;
  }

  /**
   * Makes the candidate known, unless another run has, and its tables. From then on only one run at
   * a time may fill it: the caller takes the lock of its checkpoint.
   *
   * @throws io.tidemark.spec.error.ConflictException if another change came first
   */
  public void begin(RebuildPlan plan) {
    ServedGeneration candidate = plan.candidate();
    if (!plan.goesOn()) {
      setup
          .journal()
          .change(
              run,
              "begin to build " + candidate.generation(),
              clock,
              generations -> generations.with(candidate.row()));
    }
    PipelineCatalog.tables(spec, candidate.tables()).forEach(format::create);
    candidate
        .row()
        .start()
        .from()
        .filter(day -> KeptArchive.builtFrom(format, candidate.tables()).isEmpty())
        .ifPresent(day -> KeptArchive.buildFrom(format, candidate.tables().aggregates(), day));
  }

  /**
   * Runs the steps that are left and makes the generation a candidate.
   *
   * @param requireHeld throws if another process may fill it now; asked before each commit
   * @throws io.tidemark.spec.error.DataRefusedException if the room runs out
   */
  public void complete(RebuildPlan plan, Runnable requireHeld) {
    ServedGeneration candidate = plan.candidate();
    BuildStart start = candidate.row().start();
    if (start.boundary().isPresent()) {
      batchPart(plan, start.boundary().get(), start.archiveVersion().orElseThrow(), requireHeld);
    }
    ConflictRetry.times(5)
        .run(
            () ->
                setup
                    .journal()
                    .change(
                        run,
                        "finish " + candidate.generation(),
                        clock,
                        generations -> generations.built(candidate.generation())));
  }

  private void batchPart(
      RebuildPlan plan, Instant boundary, long archiveVersion, Runnable requireHeld) {
    PipelineTables tables = plan.candidate().tables();
    Dataset<Row> archive = format.readThrough(tables.archive(), archiveVersion);
    SettlementCommits commits = SettlementCommits.of(spark, tables, format, clock);
    if (commits.newestInLedger().isEmpty()) {
      Done done = fill(plan, tables, archive, requireHeld);
      requireHeld.run();
      commits.commit(mark(boundary, archiveVersion, done, archive), Optional.empty());
    }
    ProgressJournal progress = progress(tables);
    if (progress.newest().isEmpty()) {
      progress.append(ProgressStep.built(boundary, archiveVersion), 0);
    }
  }

  private Done fill(
      RebuildPlan plan, PipelineTables tables, Dataset<Row> archive, Runnable requireHeld) {
    Recount recount =
        new Recount(
            spec,
            archive,
            format.read(tables.aggregates()),
            StreamBounds.none(spark),
            Optional.empty(),
            plan.kept());
    Done done = done(tables).orElse(Done.NOTHING);
    Instant began = clock.instant();
    long bytesLeft = plan.bytesToRead();
    int number = 0;
    for (RebuildStep step : plan.steps()) {
      if (!step.through().isAfter(done.through())) {
        // Another run has done it since this one planned.
        bytesLeft -= step.bytes();
        continue;
      }
      plan.need()
          .after(format.bytes(tables.aggregates()), space.free(tables.root()))
          .require(tables.root());
      requireHeld.run();
      done = fill(step, recount, tables, done);
      requireStillKept(plan);
      number++;
      bytesLeft -= step.bytes();
      messages.accept(
          "%s: step %d of %d, windows through %s, %d rows so far%s"
              .formatted(
                  plan.candidate().generation(),
                  number,
                  plan.steps().size(),
                  step.through(),
                  done.count(SettlementMark.BUILT),
                  left(Duration.between(began, clock.instant()), plan.bytesToRead(), bytesLeft)));
    }
    return done;
  }

  /** A step may have counted windows of which events were deleted meanwhile. */
  private void requireStillKept(RebuildPlan plan) {
    GenerationRow row = plan.candidate().row();
    KeptArchive now = kept(row, plan.candidate().tables());
    if (!now.equals(plan.kept())) {
      throw new ConflictException(
          "Days of the archive were deleted while %s was being built (%s). Give it up with 'tidemark retire … %s', and build anew."
              .formatted(row.generation(), now.inWords(), row.generation()));
    }
  }

  private static String left(Duration passed, long all, long left) {
    return left <= 0 || all <= left
        ? "."
        : ", about %.0f s left.".formatted(passed.toSeconds() * (double) left / (all - left));
  }

  private Done fill(RebuildStep step, Recount recount, PipelineTables tables, Done before) {
    try (EvaluatedRows rows =
        EvaluatedRows.of(
            recount.exact(step.partitions()),
            spec.partition(),
            sum(col(Aggregation.MEMBERSHIPS)).as("memberships"),
            sum(col(AggregateColumns.EVENT_COUNT)).as("counted"),
            sum(col(Aggregation.DUPLICATES)).as("duplicates"))) {
      Optional<MergeScope> scope = rows.scope();
      if (scope.isEmpty()) {
        return before;
      }
      Done done = before.plus(step.through(), rows);
      format.replace(
          tables.aggregates(),
          scope.get().partitionPredicate(),
          rows.rows()
              .withColumn(AggregateColumns.VERSION, lit(FIRST_SETTLEMENT))
              .select(columns(tables))
              .repartition(scope.get().partitions().size(), col(spec.partition().columnName())),
          CommitLabel.ofSeveralWriters(APPLICATION, done.steps(), done.toJson()));
      if (!done(tables).equals(Optional.of(done))) {
        throw new ConflictException(
            "Another run of rebuild works on the same generation. Let it end, or stop it and run this one again.");
      }
      return done;
    }
  }

  private Column[] columns(PipelineTables tables) {
    List<Column> columns = new ArrayList<>();
    for (String name : format.read(tables.aggregates()).columns()) {
      columns.add(col("`" + name + "`"));
    }
    return columns.toArray(Column[]::new);
  }

  private SettlementMark mark(
      Instant boundary, long archiveVersion, Done done, Dataset<Row> archive) {
    RecordCounts records = RecordCounts.of(archive, spec);
    Map<String, Long> counts = new HashMap<>(done.counts());
    counts.putIfAbsent(SettlementMark.BUILT, 0L);
    counts.put("estimated", done.count("counted"));
    counts.put("archived", records.archived());
    counts.put("rejected", records.rejected());
    counts.put("filtered", records.filtered());
    counts.put("considered", records.considered());
    return new SettlementMark(
        FIRST_SETTLEMENT,
        run,
        archiveVersion,
        Optional.of(boundary),
        boundary,
        Optional.empty(),
        counts,
        Optional.empty(),
        AuditResult.CLEAN);
  }

  private ProgressJournal progress(PipelineTables tables) {
    return new ProgressJournal(spark, format, tables.progress(), clock);
  }

  private Optional<Done> done(PipelineTables tables) {
    return format
        .newest(
            tables.aggregates(),
            VersionRange.through(format.version(tables.aggregates())),
            APPLICATION)
        .map(Done::of);
  }

  /**
   * What the steps so far have done; each step's commit carries it.
   *
   * @param steps their number
   * @param through the end of the last one's partitions
   * @param counts rows and memberships, as the ledger names them
   */
  private record Done(long steps, Instant through, Map<String, Long> counts) {

    static final Done NOTHING = new Done(0, SettlementMark.NOTHING_SETTLED, Map.of());

    long count(String name) {
      return counts.getOrDefault(name, 0L);
    }

    Done plus(Instant end, EvaluatedRows rows) {
      Map<String, Long> more = new HashMap<>();
      more.put(SettlementMark.BUILT, count(SettlementMark.BUILT) + rows.size());
      for (String name : List.of("memberships", "counted", "duplicates")) {
        more.put(name, count(name) + rows.number(name));
      }
      return new Done(steps + 1, end, more);
    }

    String toJson() {
      ObjectNode node = JsonNodeFactory.instance.objectNode();
      node.put("steps", steps).put("through", through.toString());
      ObjectNode numbers = node.putObject("counts");
      new TreeMap<>(counts).forEach(numbers::put);
      return node.toString();
    }

    static Done of(LabelledCommit commit) {
      return CommitMessage.read(
          "a rebuild's step",
          commit.message(),
          node -> {
            Map<String, Long> counts = new HashMap<>();
            node.required("counts")
                .properties()
                .forEach(count -> counts.put(count.getKey(), count.getValue().asLong()));
            return new Done(
                node.required("steps").asLong(),
                Instant.parse(node.required("through").asText()),
                counts);
          });
    }
  }
}
