package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.spec.PipelineSpec;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark roll-back}: moves readers back to a kept generation. */
@Command(
    name = "roll-back",
    description =
        "Make a kept generation live again: the one that was live last, or the one that is named. It"
            + " has been fed and settled on, so it is as fresh as the live one.",
    footer = {
      "",
      "Examples:",
      "  tidemark roll-back clicks.yaml",
      "  tidemark roll-back clicks.yaml --generation g1"
    })
public final class RollBackVerb extends PipelineVerb {

  @Mixin private MoveOptions options = new MoveOptions();

  @Mixin private GenerationChoice generation = new GenerationChoice();

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    return MoveOptions.answer(
        MoveOptions.job(spark, setup(spark), format(spark), clock, runId)
            .rollBack(generation.given(), options.conditions()));
  }
}
