package io.tidemark.cli.verb;

import io.tidemark.ingest.StreamRun.Wanted;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.ServedPipeline;
import io.tidemark.tables.TableFormat;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;

/** {@code tidemark ingest}: source to archive. */
@Command(
    name = "ingest",
    description = "Read the source into the archive, each record once.",
    footer = {
      "",
      "Examples:",
      "  tidemark ingest clicks.yaml --available-now",
      "  tidemark ingest clicks.yaml --trigger 5s"
    })
public final class IngestVerb extends IngestingVerb {

  @Override
  List<Wanted> jobs(
      SparkSession spark, PipelineSpec spec, ServedPipeline pipeline, TableFormat format) {
    return List.of(new Wanted(ingestJob(spark, spec, pipeline, format), true));
  }
}
