package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.ingest.Checkpoint;
import io.tidemark.ingest.CheckpointLock;
import io.tidemark.reconcile.generation.DiskSpace;
import io.tidemark.reconcile.generation.RebuildJob;
import io.tidemark.reconcile.generation.RebuildPlan;
import io.tidemark.reconcile.generation.RebuildRequest;
import io.tidemark.reconcile.generation.RebuildStep;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.journal.BuildStart;
import java.time.Duration;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tidemark rebuild}: builds the next generation beside the live one. */
@Command(
    name = "rebuild",
    description = {
      "Build the next generation from the archive, by this file, beside the live one: a batch counts"
          + " the archive up to the live frontier's day, a stream the rest.",
      "The live generation runs on. Killed, the next run goes on where it stopped. Afterwards 'tidemark"
          + " stream' and 'settle' keep both; 'compare' says how they differ; 'promote' moves readers."
    },
    footer = {
      "",
      "Examples:",
      "  tidemark rebuild clicks.yaml --dry-run",
      "  tidemark rebuild clicks.yaml",
      "  tidemark rebuild clicks.yaml --rewind 4h",
      "  tidemark rebuild clicks.yaml --from 2026-04-01",
      "  tidemark rebuild clicks.yaml --replay"
    })
public final class RebuildVerb extends PipelineVerb {

  @Option(
      names = "--rewind",
      paramLabel = "DURATION",
      description =
          "How far back from the latest archived event its stream reaches; refused where events would"
              + " be lost (default: computed).")
  private @Nullable Duration rewind;

  @Option(
      names = "--replay",
      description = "No batch: send the whole archive through the streaming code.")
  private boolean replay;

  @Option(
      names = "--from",
      paramLabel = "DAY",
      description =
          "Only windows that start on this day (UTC, like 2026-04-01) or later; earlier ones stay in"
              + " older generations (default: from the archive's first day on).")
  private @Nullable LocalDate from;

  @Option(
      names = "--again",
      description = "Also where the file means what the live generation was built from.")
  private boolean again;

  @Option(names = "--dry-run", description = "Say what would be built; write nothing.")
  private boolean dryRun;

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    if (replay && (rewind != null || from != null)) {
      throw new SpecException(
          "--replay streams all of the archive: it goes without --rewind and --from.");
    }
    RebuildJob job =
        new RebuildJob(
            spark,
            setup(spark),
            spec,
            format(spark),
            clock,
            runId,
            DiskSpace.ofThisMachine(),
            this::say);
    Optional<RebuildPlan> found =
        job.plan(
            new RebuildRequest(
                replay, Optional.ofNullable(rewind), Optional.ofNullable(from), again));
    if (found.isEmpty()) {
      return VerbResult.done(
          "Nothing to build: a generation was built from what this file means already ('tidemark"
              + " status'). To build the same once more, give --again.",
          Map.of("state", "nothing-to-build"));
    }
    RebuildPlan plan = found.get();
    if (dryRun) {
      return VerbResult.done(
          "Would build generation %s:\n%s\nNothing was written."
              .formatted(plan.candidate().generation(), text(plan)),
          data("dry-run", plan));
    }
    say("Building generation %s:\n%s".formatted(plan.candidate().generation(), text(plan)));
    job.begin(plan);
    CheckpointLock lock =
        CheckpointLock.acquire(
            new Checkpoint(
                plan.candidate().tables().aggregateCheckpoint(),
                spark.sparkContext().hadoopConfiguration()));
    try {
      job.complete(plan, lock::requireHeld);
    } finally {
      lock.close();
    }
    return VerbResult.done(
        "Generation %s is a candidate beside the live one. 'tidemark stream' (a running one within seconds) feeds it from archive version %d on; then compare and promote."
            .formatted(
                plan.candidate().generation(), plan.candidate().row().start().firstVersion()),
        data("built", plan));
  }

  private static String text(RebuildPlan plan) {
    BuildStart start = plan.candidate().row().start();
    StringBuilder text = new StringBuilder();
    if (plan.goesOn()) {
      text.append("  goes on where another run stopped\n");
    }
    if (start.boundary().isPresent()) {
      text.append(
          "  batch: windows through %s from archive version %d, in %d %s, about %d bytes to read\n"
              .formatted(
                  start.boundary().get(),
                  start.archiveVersion().orElseThrow(),
                  plan.steps().size(),
                  plan.steps().size() == 1 ? "step" : "steps",
                  plan.bytesToRead()));
    } else {
      text.append("  batch: none, all of it is streamed\n");
    }
    text.append("  stream: from archive version %d on".formatted(start.firstVersion()));
    plan.rewind()
        .ifPresent(
            rewind -> {
              text.append(
                  ", for the last %s of events".formatted(StatusText.duration(rewind.needed())));
              if (!rewind.excess().isZero()) {
                text.append(
                    "; %s further than needed, %d records more to read"
                        .formatted(StatusText.duration(rewind.excess()), rewind.excessRecords()));
              }
            });
    plan.kept()
        .from()
        .ifPresent(
            day ->
                text.append(
                    "\n  not rebuilt: windows that start before %s, which only older generations have%s"
                        .formatted(
                            day,
                            plan.kept().byBuild() ? "" : ": the archive is kept from then on")));
    text.append("\n  room: about %d bytes needed, %s".formatted(plan.need().bytes(), free(plan)));
    return text.toString();
  }

  private static String free(RebuildPlan plan) {
    return plan.need().free().isPresent()
        ? plan.need().free().getAsLong() + " free"
        : "what is free can't be known there";
  }

  private static Map<String, Object> data(String state, RebuildPlan plan) {
    BuildStart start = plan.candidate().row().start();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("state", state);
    data.put("generation", plan.candidate().generation().name());
    data.put("goes_on", plan.goesOn());
    start.boundary().ifPresent(boundary -> data.put("boundary", boundary));
    if (start.archiveVersion().isPresent()) {
      data.put("archive_version", start.archiveVersion().getAsLong());
    }
    data.put("first_version", start.firstVersion());
    data.put("steps", plan.steps().stream().map(RebuildStep::through).toList());
    data.put("bytes_to_read", plan.bytesToRead());
    plan.rewind()
        .ifPresent(
            rewind -> {
              data.put("rewind_needed_seconds", rewind.needed().toSeconds());
              data.put("rewind_excess_seconds", rewind.excess().toSeconds());
              data.put("rewind_excess_records", rewind.excessRecords());
            });
    plan.kept().from().ifPresent(day -> data.put("kept_from", day));
    data.put("bytes_needed", plan.need().bytes());
    plan.need().free().ifPresent(free -> data.put("bytes_free", free));
    return data;
  }
}
