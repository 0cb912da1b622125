package io.tidemark.cli.verb;

import io.tidemark.ingest.AggregateJob;
import io.tidemark.ingest.IngestJob;
import io.tidemark.ingest.StreamJob;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
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
public final class StreamVerb extends StreamingVerb {

  @Override
  List<StreamJob> jobs(
      SparkSession spark, PipelineSpec spec, PipelineTables tables, TableFormat format) {
    return List.of(
        new IngestJob(spark, spec, tables, format),
        new AggregateJob(spark, spec, tables, format, clock));
  }
}
