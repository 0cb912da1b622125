package io.tidemark.cli.verb;

import io.tidemark.ingest.AggregateJob;
import io.tidemark.ingest.StreamJob;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;

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

  @Override
  List<StreamJob> jobs(
      SparkSession spark, PipelineSpec spec, PipelineTables tables, TableFormat format) {
    return List.of(new AggregateJob(spark, spec, tables, format, clock));
  }
}
