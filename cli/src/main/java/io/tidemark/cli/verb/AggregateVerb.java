package io.tidemark.cli.verb;

import io.tidemark.ingest.StreamRun.Wanted;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.ServedPipeline;
import io.tidemark.tables.TableFormat;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark aggregate}: archive to aggregates. */
@Command(
    name = "aggregate",
    description = "Count what is archived into the aggregates and publish the frontier.",
    footer = {
      "",
      "Examples:",
      "  tidemark aggregate clicks.yaml --available-now",
      "  tidemark aggregate clicks.yaml --trigger 5s"
    })
public final class AggregateVerb extends StreamingVerb {

  @Mixin private GenerationChoice generation = new GenerationChoice();

  @Override
  void require(ServedPipeline pipeline) {
    generation.given().ifPresent(pipeline::require);
  }

  @Override
  List<Wanted> jobs(
      SparkSession spark, PipelineSpec spec, ServedPipeline pipeline, TableFormat format) {
    return aggregateJobs(
        spark,
        generation
            .given()
            .map(
                only ->
                    // None once it is given up: then this run ends.
                    pipeline.fed().stream().filter(one -> one.generation().equals(only)).toList())
            .orElse(pipeline.fed()),
        format);
  }
}
