package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.reconcile.maintain.MaintainJob;
import io.tidemark.reconcile.maintain.MaintainOutcome;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.TableDefinition;
import java.time.Duration;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tidemark maintain}: keeps the tables small. */
@Command(
    name = "maintain",
    description = {
      "Join small files of settled and past days, and delete what is older than the history.",
      "Changes no number. May run beside the stream; best after the nightly settle. What another"
          + " writer changes meanwhile is left for the next run."
    },
    footer = {
      "",
      "Examples:",
      "  tidemark maintain clicks.yaml --dry-run",
      "  tidemark maintain clicks.yaml --keep-history 7d"
    })
public final class MaintainVerb extends PipelineVerb {

  @Option(
      names = "--keep-history",
      paramLabel = "DURATION",
      description =
          "Keep the files of this much of the past, for time travel, undoing and a paused stream"
              + " (default: 30d, as the tables say); refused where it is too short for them.")
  private Duration history = TableDefinition.HISTORY;

  @Option(names = "--dry-run", description = "Say what would be done; write nothing.")
  private boolean dryRun;

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    MaintainJob job = new MaintainJob(spark, spec, setup(spark, spec).open(), format(spark), clock);
    MaintainOutcome outcome = dryRun ? job.dryRun(history) : job.run(history);
    return VerbResult.done(MaintainText.of(outcome), MaintainText.data(outcome));
  }
}
