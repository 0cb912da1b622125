package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.ingest.Checkpoint;
import io.tidemark.ingest.CheckpointLock;
import io.tidemark.reconcile.generation.RetireJob;
import io.tidemark.reconcile.generation.RetireJob.Policy;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.tables.Generation;
import io.tidemark.tables.PipelineTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark retire}: gives generations up and deletes their tables. */
@Command(
    name = "retire",
    description =
        "Give up kept generations that need not be kept any longer, or one that is named, and delete"
            + " their tables and checkpoints. Never the live one.",
    footer = {
      "",
      "Examples:",
      "  tidemark retire clicks.yaml",
      "  tidemark retire clicks.yaml --keep 1 --at-least 48h",
      "  tidemark retire clicks.yaml g2 --dry-run"
    })
public final class RetireVerb extends PipelineVerb {

  private static final Duration LETS_GO_WITHIN = Duration.ofSeconds(60);

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "GENERATION",
      description = "Only this one: a candidate, or a kept one whose time has passed.")
  private @Nullable Generation generation;

  @Option(
      names = "--keep",
      paramLabel = "NUMBER",
      defaultValue = "2",
      description = "How many to keep, the live one among them (default: ${DEFAULT-VALUE}).")
  private int keep;

  @Option(
      names = "--at-least",
      paramLabel = "DURATION",
      description = "Keep each so long after it ceased to be live (default: 24h).")
  private Duration atLeast = Duration.ofHours(24);

  @Option(names = "--dry-run", description = "Say what would go; write nothing.")
  private boolean dryRun;

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    RetireJob job = new RetireJob(setup(spark), clock, runId);
    List<Generation> chosen = job.plan(Optional.ofNullable(generation), new Policy(keep, atLeast));
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    if (!dryRun) {
      job.retire(chosen);
    }
    List<String> deleted = new ArrayList<>();
    for (PipelineTables tables : job.retired()) {
      if (!dryRun && delete(tables, hadoop)) {
        deleted.add(tables.generation().name());
      }
    }
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("state", dryRun ? "dry-run" : "done");
    data.put("retired", chosen.stream().map(Generation::name).toList());
    data.put("deleted", deleted);
    return VerbResult.done(text(chosen, deleted), data);
  }

  private String text(List<Generation> chosen, List<String> deleted) {
    String names = chosen.stream().map(Generation::name).collect(Collectors.joining(", "));
    if (dryRun) {
      return chosen.isEmpty()
          ? "Nothing would be given up."
          : "Would give up " + names + ". Nothing was written.";
    }
    if (chosen.isEmpty() && deleted.isEmpty()) {
      return "Nothing to give up.";
    }
    return (chosen.isEmpty() ? "" : "Given up: " + names + ". ")
        + "Deleted the tables of: "
        + String.join(", ", deleted)
        + ".";
  }

  /** Whether there was anything left of it. */
  private boolean delete(PipelineTables tables, Configuration hadoop) {
    List<Path> folders = List.of(new Path(tables.folder()), new Path(tables.aggregateCheckpoint()));
    try {
      FileSystem files = folders.get(0).getFileSystem(hadoop);
      boolean any = false;
      for (Path folder : folders) {
        any |= files.exists(folder);
      }
      if (!any) {
        return false;
      }
      CheckpointLock lock = lockOnceLetGo(tables, hadoop);
      try {
        for (Path folder : folders) {
          files.delete(folder, true);
        }
      } finally {
        lock.close();
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Generation "
              + tables.generation()
              + " is given up, but not all of it could be deleted: run retire again",
          e);
    }
  }

  /** A stream that feeds it sees within seconds that it is given up. */
  private CheckpointLock lockOnceLetGo(PipelineTables tables, Configuration hadoop) {
    long end = System.nanoTime() + LETS_GO_WITHIN.toNanos();
    while (true) {
      try {
        return CheckpointLock.acquire(new Checkpoint(tables.aggregateCheckpoint(), hadoop));
      } catch (ConflictException e) {
        if (System.nanoTime() > end) {
          throw new ConflictException(
              "Generation %s is given up, but a process still works on it, so its tables are left. Run retire again when that has ended."
                  .formatted(tables.generation()),
              e);
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(500);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
