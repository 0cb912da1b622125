package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.reconcile.LatenessJob;
import io.tidemark.reconcile.LatenessReport;
import io.tidemark.reconcile.LatenessRequest;
import io.tidemark.reconcile.LatenessRequest.Grouping;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.PipelineTables;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tidemark lateness}: how late events come, and which watermark would do. */
@Command(
    name = "lateness",
    description =
        "Measure how late the archived events came, and what a shorter or longer watermark would"
            + " have left out; nothing is written.",
    footer = {
      "",
      "Examples:",
      "  tidemark lateness clicks.yaml",
      "  tidemark lateness clicks.yaml --by source --since 2026-03-01",
      "  tidemark lateness clicks.yaml --by key --max-left-out-percent 0.1"
    })
public final class LatenessVerb extends PipelineVerb {

  @Option(
      names = "--by",
      paramLabel = "source|key",
      description = "Also the 20 latest directories of files, or keys, by p99.")
  private @Nullable Grouping by;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only events that arrived since then (a day means its start, UTC).")
  private @Nullable Instant since;

  @Option(
      names = "--max-left-out-percent",
      paramLabel = "PERCENT",
      defaultValue = "1",
      description =
          "What the recommended watermark may leave to the settlement (default: ${DEFAULT-VALUE}).")
  private double mostLeftOutPercent;

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    if (!(mostLeftOutPercent >= 0 && mostLeftOutPercent <= 100)) {
      throw new SpecException(
          "--max-left-out-percent is " + mostLeftOutPercent + ": give a number from 0 to 100.");
    }
    if (by == Grouping.KEY && spec.keys().isEmpty()) {
      throw new SpecException(
          "Pipeline " + spec.name() + " has no keys to tell events apart by: use --by source.");
    }
    PipelineTables tables = setup(spark).open().live().tables();
    Optional<LatenessReport> found =
        new LatenessJob(spec, tables, format(spark))
            .run(new LatenessRequest(Optional.ofNullable(by), Optional.ofNullable(since)));
    if (found.isEmpty()) {
      return VerbResult.done(
          "Nothing to measure: the archive of %s holds no event to count%s."
              .formatted(spec.name(), since == null ? "" : " that arrived since " + since),
          Map.of("state", "nothing"));
    }
    LatenessText text = new LatenessText(spec, found.get(), mostLeftOutPercent);
    return VerbResult.done(text.toString(), text.data());
  }
}
