package io.tidemark.cli.verb;

import io.tidemark.cli.ResultPlace;
import io.tidemark.cli.VerbResult;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.ParsedPipeline;
import io.tidemark.tables.Generation;
import io.tidemark.tables.PipelineSetup;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** A verb that works on the tables of one pipeline. */
abstract class PipelineVerb extends TableVerb {

  @Parameters(paramLabel = "PIPELINE", description = "The pipeline's YAML file.")
  private @Nullable Path file;

  private @Nullable ParsedPipeline parsed;

  /** Does the work, for a pipeline file without a problem. */
  abstract VerbResult execute(PipelineSpec spec, SparkSession spark);

  /** Whether it says what may surprise in the pipeline file: not in the jobs of each night. */
  boolean warns() {
    return false;
  }

  @Override
  final VerbResult execute() {
    if (file == null) {
      throw new IllegalStateException("a verb without its pipeline file");
    }
    ParsedPipeline pipeline = new PipelineFile(file).parse();
    if (warns()) {
      pipeline.warnings().forEach(warning -> say("Warning: " + warning));
    }
    warehouse();
    // Only from here on is it known where a result goes.
    parsed = pipeline;
    return execute(pipeline.spec(), spark(pipeline.spec().name().value()));
  }

  /** The way to the tables of the pipeline file. */
  final PipelineSetup setup(SparkSession spark) {
    if (parsed == null) {
      throw new IllegalStateException("a verb before its pipeline file was read");
    }
    return new PipelineSetup(spark, parsed, warehouse(), format(spark));
  }

  @Override
  final Optional<ResultPlace> defaultResult() {
    return Optional.ofNullable(parsed)
        .flatMap(p -> resultBeside(warehouse().of(p.spec().name(), Generation.FIRST)));
  }
}
