package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.merge.SettlementMark;
import io.tidemark.reconcile.UnsettleJob;
import io.tidemark.reconcile.UnsettleJob.Undoing;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.ServedGeneration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark unsettle}: takes a settlement back. */
@Command(
    name = "unsettle",
    description =
        "Take back the settlement in force: its rows become what they were. Run again, it takes"
            + " back the one below; a later settle adopts anew.",
    footer = {
      "",
      "Example:",
      "  tidemark unsettle clicks.yaml --reason 'the price list was wrong'"
    })
public final class UnsettleVerb extends PipelineVerb {

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the ledger.")
  private @Nullable String reason;

  @Mixin private GenerationChoice generation = new GenerationChoice();

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    if (reason == null || reason.isBlank()) {
      throw new SpecException(
          "unsettle takes numbers back that people may have billed from: say why with --reason '…'.");
    }
    ServedGeneration chosen = generation.of(setup(spark).open());
    UnsettleJob job =
        new UnsettleJob(
            spark,
            chosen.spec(),
            chosen.tables(),
            format(spark),
            clock,
            () -> UUID.randomUUID().toString());
    return job.run(reason)
        .map(UnsettleVerb::answer)
        .orElseGet(
            () ->
                VerbResult.done(
                    "Nothing to take back: no settlement is in force.",
                    Map.of("state", "nothing-settled")));
  }

  private static VerbResult answer(Undoing undoing) {
    long undone = undoing.mark().undone().orElseThrow().settlement();
    Optional<SettlementMark> below = undoing.below();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("state", "undone");
    data.put("settlement", undoing.mark().settlement());
    data.put("undoes", undone);
    data.put("rows", undoing.rows());
    below.ifPresent(
        mark -> {
          data.put("in_force", mark.inForce());
          data.put("settled_through", mark.settledThrough());
        });
    return VerbResult.done(
        "Settlement %d is taken back (entry %d of the ledger): %d rows are what they were.\n%s"
            .formatted(
                undone,
                undoing.mark().settlement(),
                undoing.rows(),
                below
                    .map(
                        mark ->
                            "In force again: settlement %d, through %s."
                                .formatted(mark.inForce(), mark.settledThrough()))
                    .orElse("Nothing is settled any more.")),
        data);
  }
}
