package io.tidemark.cli.verb;

import io.tidemark.ingest.IngestJob;
import io.tidemark.ingest.OnSourceGap;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.ServedPipeline;
import io.tidemark.tables.TableFormat;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Option;

/** A verb that reads the source. */
abstract class IngestingVerb extends StreamingVerb {

  @Option(
      names = "--accept-source-gap",
      description =
          "Go on behind records that Kafka has deleted before they were read, and note the gap:"
              + " status shows it until 'verify --source --acknowledge-gaps'.")
  private boolean acceptSourceGap;

  final IngestJob ingestJob(
      SparkSession spark, PipelineSpec spec, ServedPipeline pipeline, TableFormat format) {
    return new IngestJob(
        spark,
        spec,
        pipeline.live().tables(),
        format,
        acceptSourceGap ? OnSourceGap.ACCEPT : OnSourceGap.STOP,
        clock);
  }
}
