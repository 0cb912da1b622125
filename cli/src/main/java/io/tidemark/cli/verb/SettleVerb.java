package io.tidemark.cli.verb;

import io.tidemark.cli.ExitCode;
import io.tidemark.cli.VerbResult;
import io.tidemark.ingest.Checkpoint;
import io.tidemark.ingest.CheckpointLock;
import io.tidemark.merge.SettlementMark;
import io.tidemark.reconcile.SettleJob;
import io.tidemark.reconcile.SettleOutcome;
import io.tidemark.reconcile.SettlePlan;
import io.tidemark.reconcile.SettlePlan.Step;
import io.tidemark.reconcile.SettleRequest;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.ServedPipeline;
import io.tidemark.tables.journal.SourceGap;
import io.tidemark.tables.journal.SourceGapJournal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tidemark settle}: recounts and adopts. */
@Command(
    name = "settle",
    description = "Recount what the stream has left behind, and adopt the exact values.",
    footer = {
      "",
      "Examples:",
      "  tidemark settle clicks.yaml",
      "  tidemark settle clicks.yaml --through 2026-03-02 --dry-run",
      "  tidemark settle clicks.yaml --again 2026-03-01 2026-03-04 --reason 'a file was mended'",
      "  tidemark settle clicks.yaml --close --reason 'the shop has closed for good'",
      "  tidemark settle clicks.yaml --accept-breach 'partner A sent its Monday on Tuesday'"
    })
public final class SettleVerb extends PipelineVerb {

  private static final String TO_HOLD = ", which says to hold";
  private static final String TO_WARN = ", which says to warn";

  @Option(
      names = "--through",
      paramLabel = "TIME",
      description = "Settle no window that ends after this (a day means its start, UTC).")
  private @Nullable Instant through;

  @Option(
      names = "--close",
      description =
          "Go past the frontier, for a source that has ended; needs --reason, and the stream stopped.")
  private boolean close;

  @Option(
      names = "--again",
      arity = "2",
      paramLabel = "TIME",
      description = "Recount what is settled from one time to another once more; needs --reason.")
  private Instant @Nullable [] again;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the ledger.")
  private @Nullable String reason;

  @Option(
      names = "--accept-breach",
      paramLabel = "REASON",
      description = "Adopt though it breaks limits of the pipeline file; why, for the ledger.")
  private @Nullable String acceptBreach;

  @Option(
      names = "--dry-run",
      description = "Print the plan, the differences and broken limits; write nothing.")
  private boolean dryRun;

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    SettleRequest request = request();
    ServedPipeline pipeline = setup(spark).open();
    VerbResult live = settle(spark, pipeline.live(), request, acceptBreach);
    StringBuilder text = new StringBuilder(live.text());
    Map<String, Object> data = new LinkedHashMap<>(live.data());
    Map<String, Object> others = new LinkedHashMap<>();
    for (ServedGeneration other : pipeline.fed().subList(1, pipeline.fed().size())) {
      text.append(
          "\n\nGeneration %s (%s): ".formatted(other.generation(), other.row().state().label()));
      try {
        // What is accepted is accepted of the live one.
        VerbResult result = settle(spark, other, request, null);
        text.append(result.text());
        others.put(other.generation().name(), result.data());
      } catch (Exception e) {
        // Also checked ones, which Spark throws undeclared. Nothing beside the live generation
        // holds it up.
        text.append("not settled. ").append(e.getMessage());
        others.put(other.generation().name(), Map.of("error", e.getMessage() + ""));
      }
    }
    if (!others.isEmpty()) {
      data.put("other_generations", others);
    }
    List<SourceGap> gaps =
        new SourceGapJournal(spark, format(spark), pipeline.live().tables().sourceGaps(), clock)
            .open();
    if (!gaps.isEmpty()) {
      text.append(SourceGaps.after(gaps));
      data.put("source_gaps", gaps);
    }
    return new VerbResult(live.exitCode(), text.toString(), data);
  }

  private VerbResult settle(
      SparkSession spark,
      ServedGeneration generation,
      SettleRequest request,
      @Nullable String acceptance) {
    PipelineSpec spec = generation.spec();
    PipelineTables tables = generation.tables();
    SettleJob job =
        new SettleJob(
            spark, spec, tables, format(spark), clock, () -> UUID.randomUUID().toString());
    String corrections = format(spark).relation(tables.corrections());
    if (dryRun) {
      return answer(spec, job.dryRun(request), corrections);
    }
    if (request instanceof SettleRequest.Close) {
      // The stream must not count on while its windows are closed over its head.
      CheckpointLock lock =
          CheckpointLock.acquire(
              new Checkpoint(
                  tables.aggregateCheckpoint(), spark.sparkContext().hadoopConfiguration()));
      try {
        return answer(spec, run(job, request, acceptance), corrections);
      } finally {
        lock.close();
      }
    }
    return answer(spec, run(job, request, acceptance), corrections);
  }

  private static SettleOutcome run(
      SettleJob job, SettleRequest request, @Nullable String acceptance) {
    return acceptance == null ? job.run(request) : job.runAcceptingBreaches(request, acceptance);
  }

  private SettleRequest request() {
    if (acceptBreach != null && acceptBreach.isBlank()) {
      throw new SpecException(
          "--accept-breach adopts what breaks a limit: say why, --accept-breach 'reason'.");
    }
    if (acceptBreach != null && dryRun) {
      throw new SpecException("--accept-breach adopts, --dry-run does not: give one of the two.");
    }
    Optional<Instant> cap = Optional.ofNullable(through);
    if (again != null) {
      return again(again);
    }
    if (!close) {
      if (reason != null) {
        throw new SpecException("--reason goes with --close or --again.");
      }
      return new SettleRequest.BehindFrontier(cap);
    }
    if (reason == null || reason.isBlank()) {
      throw new SpecException(
          "--close settles windows that the stream could still change: say why with --reason '…'.");
    }
    return new SettleRequest.Close(cap, reason);
  }

  private SettleRequest again(Instant[] range) {
    if (close || through != null) {
      throw new SpecException("--again goes with neither --close nor --through.");
    }
    if (reason == null || reason.isBlank()) {
      throw new SpecException(
          "--again recounts what people may have billed from: say why with --reason '…'.");
    }
    if (!range[0].isBefore(range[1])) {
      throw new SpecException(
          "--again %s %s: the first time must be before the second.".formatted(range[0], range[1]));
    }
    return new SettleRequest.Again(range[0], range[1], reason);
  }

  /**
   * @param corrections the table that keeps those of a held settlement, in SQL
   */
  private static VerbResult answer(PipelineSpec spec, SettleOutcome outcome, String corrections) {
    if (outcome instanceof SettleOutcome.Nothing nothing) {
      Map<String, Object> data = new LinkedHashMap<>();
      data.put("state", "nothing-to-settle");
      data.put("why", nothing.why());
      nothing.settledThrough().ifPresent(through -> data.put("settled_through", through));
      return VerbResult.done("Nothing to settle: " + nothing.why() + ".", data);
    }
    if (outcome instanceof SettleOutcome.DryRun dry) {
      Map<String, Object> data = data("dry-run", dry.plan(), dry.mark());
      boolean held = spec.settle().filter(dry.mark().audit()::isHeldBy).isPresent();
      data.put("would_be_held", held);
      data.put("differences", Differences.data(dry.differences()));
      return VerbResult.done(
          "Settlement "
              + dry.plan().settlement()
              + " would:\n"
              + steps(dry.plan())
              + "\n"
              + counts(dry.mark())
              + "\n"
              + Differences.text(dry.differences())
              + Breaches.text(dry.mark().audit(), held ? TO_HOLD : TO_WARN)
              + "Nothing was written.",
          data);
    }
    if (outcome instanceof SettleOutcome.Held held) {
      Map<String, Object> data = data("held", held.plan(), held.mark());
      data.put("attempt", held.mark().attempt());
      return new VerbResult(ExitCode.DATA_REFUSED, heldText(held.mark(), corrections), data);
    }
    SettleOutcome.Adopted adopted = (SettleOutcome.Adopted) outcome;
    Map<String, Object> data = data("adopted", adopted.plan(), adopted.mark());
    data.put("table_version", adopted.tableVersion());
    return VerbResult.done(
        "Settlement %d adopted: windows through %s are exact as of archive version %d.\n%s%s"
            .formatted(
                adopted.mark().settlement(),
                adopted.mark().settledThrough(),
                adopted.mark().archiveVersion(),
                Breaches.text(adopted.mark().audit(), acceptance(adopted.mark())),
                counts(adopted.mark())),
        data);
  }

  private static String acceptance(SettlementMark mark) {
    return mark.audit()
        .acceptedBecause()
        .map(reason -> ", accepted because '" + reason + "'")
        .orElse(TO_WARN);
  }

  private static String heldText(SettlementMark mark, String corrections) {
    long differing = mark.count("corrected") + mark.count("missing") + mark.count("phantom");
    String inspection =
        differing == 0
            ? "No row differs from what the table shows."
            : "The corrections are kept and in no view. Look at them with tidemark sql:\n  SELECT * FROM %s WHERE attempt = '%s'"
                .formatted(corrections, mark.attempt());
    return """
        Settlement %d is held, attempt %s: nothing was adopted.
        %s%s
        %s
        Find the cause, mend it and settle again. If the numbers are right, adopt them: tidemark settle … --accept-breach 'reason'"""
        .formatted(
            mark.settlement(),
            mark.attempt(),
            Breaches.text(mark.audit(), TO_HOLD),
            counts(mark),
            inspection);
  }

  private static String steps(SettlePlan plan) {
    return plan.steps().stream()
        .map(step -> "  - " + step.description())
        .collect(Collectors.joining("\n"));
  }

  private static String counts(SettlementMark mark) {
    return ("Rows: %d agreed, %d corrected, %d missing, %d phantom.%s\n"
            + "Newly settled windows: estimate %d, exact %d, left out by the stream %d%s.%s")
        .formatted(
            mark.count("agreed"),
            mark.count("corrected"),
            mark.count("missing"),
            mark.count("phantom"),
            finalChanged(mark.count("final_changed"), mark.count("imported")),
            mark.count("estimated"),
            mark.count("counted"),
            mark.count("left_out"),
            imported(mark.count("imported")),
            frozen(mark.count("frozen")));
  }

  private static String frozen(long memberships) {
    return memberships == 0
        ? ""
        : "\nOf frozen windows came %d memberships, which no settlement counts: their days of the archive are no longer kept."
            .formatted(memberships);
  }

  private static String imported(long events) {
    return events == 0 ? "" : ", imported " + events;
  }

  private static String finalChanged(long rows, long imported) {
    return rows == 0
        ? ""
        : " %d of the rows that changed %s final: events %s."
            .formatted(
                rows,
                rows == 1 ? "was" : "were",
                imported == 0
                    ? "came with old arrival times"
                    : "were imported, or came with old arrival times");
  }

  private static Map<String, Object> data(String state, SettlePlan plan, SettlementMark mark) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("state", state);
    data.put("settlement", plan.settlement());
    data.put("archive_version", plan.archiveVersion());
    plan.frontier().ifPresent(frontier -> data.put("frontier", frontier));
    data.put("settled_through", plan.settledThrough());
    plan.closeReason().ifPresent(why -> data.put("close_reason", why));
    data.put("steps", plan.steps().stream().map(Step::description).toList());
    data.put("counts", mark.counts());
    data.put("breaches", Breaches.data(mark.audit()));
    mark.audit().acceptedBecause().ifPresent(why -> data.put("accepted_breach", why));
    return data;
  }
}
