package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.reconcile.maintain.MaintainJob;
import io.tidemark.reconcile.maintain.MaintainOutcome;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.ServedPipeline;
import io.tidemark.tables.TableDefinition;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    Optional<Duration> archive = Optional.ofNullable(keepArchive);
    ServedPipeline pipeline = setup(spark).open();
    // What any generation still needs must be known before the first of them deletes anything.
    pipeline.readers().forEach(one -> job(spark, one).requireEnoughKept(history, archive));
    List<ServedGeneration> fed = pipeline.fed();
    List<MaintainOutcome> outcomes =
        fed.stream()
            .map(one -> job(spark, one))
            .map(job -> dryRun ? job.dryRun(history, archive) : job.run(history, archive))
            .toList();
    return answer(fed, outcomes);
  }

  private MaintainJob job(SparkSession spark, ServedGeneration generation) {
    return new MaintainJob(spark, () -> setup(spark).open(), generation, format(spark), clock);
  }

  /** The live generation's, and below it those of the others. */
  private static VerbResult answer(List<ServedGeneration> fed, List<MaintainOutcome> outcomes) {
    StringBuilder text = new StringBuilder(MaintainText.of(outcomes.get(0)));
    Map<String, Object> data = new LinkedHashMap<>(MaintainText.data(outcomes.get(0)));
    Map<String, Object> others = new LinkedHashMap<>();
    for (int i = 1; i < outcomes.size(); i++) {
      text.append("\n\nGeneration ").append(fed.get(i).generation()).append(":\n");
      text.append(MaintainText.of(outcomes.get(i)));
      others.put(fed.get(i).generation().name(), MaintainText.data(outcomes.get(i)));
    }
    if (!others.isEmpty()) {
      data.put("other_generations", others);
    }
    return VerbResult.done(text.toString(), data);
  }
}
