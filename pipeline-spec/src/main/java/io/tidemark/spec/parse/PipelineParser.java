package io.tidemark.spec.parse;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import java.util.Optional;

/** Reads pipeline files. Pure: no file is opened, no Spark session needed. */
public final class PipelineParser {

  private PipelineParser() {}

  /**
   * Checks everything that can be known from the text alone.
   *
   * @param fileName for messages
   * @param yaml the file's text
   * @throws SpecException if there is anything wrong; its message lists every problem, one a line,
   *     in the order of the file
   */
  public static ParsedPipeline parse(String fileName, String yaml) {
    Problems problems = new Problems(fileName);
    Optional<PipelineSpec> spec =
        YamlDocument.root(yaml, problems)
            .flatMap(value -> value.section(KnownKeys.PIPELINE))
            .flatMap(root -> new PipelineReader(root, problems).read());
    return new ParsedPipeline(spec.orElseThrow(problems::exception), problems.warnings(), yaml);
  }
}
