package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.reconcile.generation.PointerJob;
import io.tidemark.reconcile.generation.PointerJob.Conditions;
import io.tidemark.reconcile.generation.PointerJob.Moved;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.PipelineSetup;
import io.tidemark.tables.TableFormat;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code promote} and {@code roll-back} ask for. */
final class MoveOptions {

  @Option(
      names = "--behind",
      paramLabel = "DURATION",
      description =
          "How far its stream may be behind the live one's, by the archive's commits (default: 1m).")
  private Duration behind = Duration.ofMinutes(1);

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      description = "How long to wait for that (default: 5m).")
  private Duration patience = Duration.ofMinutes(5);

  @Option(
      names = "--force",
      paramLabel = "REASON",
      description = "Whatever the comparison and the streams say; why, for the record.")
  private @Nullable String force;

  Conditions conditions() {
    if (force != null && force.isBlank()) {
      throw new SpecException(
          "--force overrides what protects readers: say why, --force 'reason'.");
    }
    return new Conditions(behind, patience, Optional.ofNullable(force));
  }

  static PointerJob job(
      SparkSession spark, PipelineSetup setup, TableFormat format, Clock clock, String run) {
    return new PointerJob(spark, setup, format, clock, run, MoveOptions::sleep);
  }

  private static void sleep(Duration duration) {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConflictException("Stopped while waiting; nothing was changed. Run again.", e);
    }
  }

  static VerbResult answer(Moved moved) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("live", moved.to().name());
    data.put("kept", moved.from().name());
    data.put("behind_seconds", moved.freshness().behind().toSeconds());
    return VerbResult.done(
        "Generation %s is live. %s is kept: streams and settlements go on with it, 'tidemark roll-back' returns to it.\nNow: %s. Sessions that have made their views already go on with %s until they make them anew."
            .formatted(moved.to(), moved.from(), moved.after().inWords(), moved.from()),
        data);
  }
}
