package io.tidemark.cli.verb;

import io.tidemark.ingest.StreamRun.Wanted;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.ServedPipeline;
import io.tidemark.tables.TableFormat;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;

/** {@code tidemark stream}: ingest and aggregate in one driver. */
@Command(
    name = "stream",
    description = "Ingest and aggregate in one process; if one of the two dies, the process ends.",
    footer = {
      "",
      "Examples:",
      "  tidemark stream clicks.yaml --trigger 5s",
      "  tidemark stream clicks.yaml --available-now"
    })
public final class StreamVerb extends IngestingVerb {

  @Override
  List<Wanted> jobs(
      SparkSession spark, PipelineSpec spec, ServedPipeline pipeline, TableFormat format) {
    List<Wanted> jobs = new ArrayList<>();
    jobs.add(new Wanted(ingestJob(spark, spec, pipeline, format), true));
    jobs.addAll(aggregateJobs(spark, pipeline.fed(), format));
    return jobs;
  }
}
