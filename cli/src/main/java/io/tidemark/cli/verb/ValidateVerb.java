package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.spec.parse.ParsedPipeline;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code tidemark validate}: checks a pipeline file alone, without Spark and without a table. */
@Command(
    name = "validate",
    description = "Check a pipeline file; every mistake is listed at once.",
    footer = {"", "Example:", "  tidemark validate examples/flights/flights.yaml"})
public final class ValidateVerb extends Verb {

  @Parameters(paramLabel = "PIPELINE", description = "The pipeline's YAML file.")
  private @Nullable Path file;

  @Override
  VerbResult execute() {
    if (file == null) {
      throw new IllegalStateException("a verb without its pipeline file");
    }
    ParsedPipeline parsed = new PipelineFile(file).parse();
    List<String> warnings = parsed.warnings().stream().map(Object::toString).toList();
    String text =
        warnings.stream().map(warning -> "Warning: " + warning + "\n").collect(Collectors.joining())
            + file
            + " is a valid pipeline: "
            + parsed.spec().name()
            + ".";
    return VerbResult.done(
        text, Map.of("pipeline", parsed.spec().name().value(), "warnings", warnings));
  }
}
