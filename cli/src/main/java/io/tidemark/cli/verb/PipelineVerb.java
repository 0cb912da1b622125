package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.Generation;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** A verb that works on the tables of one pipeline. */
abstract class PipelineVerb extends TableVerb {

  @Parameters(paramLabel = "PIPELINE", description = "The pipeline's YAML file.")
  private @Nullable Path file;

  private @Nullable PipelineSpec spec;

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
    var parsed = new PipelineFile(file).parse();
    if (warns()) {
      parsed.warnings().forEach(warning -> say("Warning: " + warning));
    }
    warehouse();
    // Only from here on is it known where a result goes.
    spec = parsed.spec();
    return execute(parsed.spec(), spark(parsed.spec().name().value()));
  }

  @Override
  final Optional<Path> defaultResult() {
    return Optional.ofNullable(spec)
        .flatMap(s -> resultBeside(warehouse().of(s.name(), Generation.FIRST)));
  }
}
