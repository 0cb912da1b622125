package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.spec.PipelineSpec;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark promote}: moves readers to the candidate. */
@Command(
    name = "promote",
    description =
        "Make the candidate live, once it has been compared with the live generation and its stream"
            + " has caught up. One commit: of two at once, one wins.",
    footer = {
      "",
      "Examples:",
      "  tidemark promote clicks.yaml",
      "  tidemark promote clicks.yaml --behind 10s --wait 10m",
      "  tidemark promote clicks.yaml --force 'the differences are what the change is for'"
    })
public final class PromoteVerb extends PipelineVerb {

  @Mixin private MoveOptions options = new MoveOptions();

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    return MoveOptions.answer(
        MoveOptions.job(spark, setup(spark), format(spark), clock, runId)
            .promote(options.conditions()));
  }
}
