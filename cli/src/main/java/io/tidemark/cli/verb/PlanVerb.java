package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.reconcile.generation.ChangePlan;
import io.tidemark.reconcile.generation.PlanJob;
import io.tidemark.spec.PipelineSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;

/** {@code tidemark plan}: what a changed pipeline file means. */
@Command(
    name = "plan",
    description =
        "Say what a changed pipeline file means: nothing, other limits, or a new generation, and what"
            + " that takes, by counting one day of the archive; nothing is written.",
    footer = {"", "Example:", "  tidemark plan clicks.yaml"})
public final class PlanVerb extends PipelineVerb {

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    ChangePlan plan = new PlanJob(spark, setup(spark), spec, format(spark), clock).run();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("change", plan.kind().label());
    data.put("live", plan.live().name());
    plan.builtAs().ifPresent(generation -> data.put("generation", generation.name()));
    data.put("new_columns", plan.newColumns());
    data.put(
        "differences",
        plan.differences().stream()
            .map(d -> Map.of("part", d.part(), "was", d.before(), "is", d.after()))
            .toList());
    data.put("archived_records", plan.archivedRecords());
    data.put("archive_bytes", plan.archiveBytes());
    data.put("aggregate_bytes", plan.aggregateBytes());
    plan.boundary().ifPresent(boundary -> data.put("boundary", boundary));
    plan.duration().ifPresent(time -> data.put("seconds", time.toSeconds()));
    return VerbResult.done(plan.text(), data);
  }
}
