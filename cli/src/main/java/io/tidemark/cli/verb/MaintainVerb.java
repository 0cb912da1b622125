package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.reconcile.maintain.MaintainJob;
import io.tidemark.reconcile.maintain.MaintainOutcome;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.TableDefinition;
import java.time.Duration;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tidemark maintain}: keeps the tables small. */
@Command(
    name = "maintain",
    description = {
      "Join small files of settled and past days, and delete what is older than the history. Deletes"
          + " days of the archive only where --keep-archive says so.",
      "Changes no number. May run beside the stream; best after the nightly settle. What another"
          + " writer changes meanwhile is left for the next run."
    },
    footer = {
      "",
      "Examples:",
      "  tidemark maintain clicks.yaml --dry-run",
      "  tidemark maintain clicks.yaml --keep-history 7d",
      "  tidemark maintain clicks.yaml --keep-archive 400d"
    })
public final class MaintainVerb extends PipelineVerb {

  @Option(
      names = "--keep-history",
      paramLabel = "DURATION",
      description =
          "Keep the files of this much of the past, for time travel, undoing and a paused stream"
              + " (default: 30d, as the tables say); refused where it is too short for them.")
  private Duration history = TableDefinition.HISTORY;

  @Option(
      names = "--keep-archive",
      paramLabel = "DURATION",
      description =
          "Keep the archived events of so much of the settled past, and delete older days. Their"
              + " windows are frozen: their rows stay, and nothing recounts them any more. Refused"
              + " where it is too short for events that may still come.")
  private @Nullable Duration keepArchive;

  @Option(names = "--dry-run", description = "Say what would be done; write nothing.")
  private boolean dryRun;

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    MaintainJob job = new MaintainJob(spark, spec, setup(spark, spec).open(), format(spark), clock);
    Optional<Duration> archive = Optional.ofNullable(keepArchive);
    MaintainOutcome outcome = dryRun ? job.dryRun(history, archive) : job.run(history, archive);
    return VerbResult.done(MaintainText.of(outcome), MaintainText.data(outcome));
  }
}
