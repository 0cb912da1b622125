package io.tidemark.spec.parse;

import io.tidemark.spec.PipelineSpec;
import java.util.List;

/**
 * A pipeline file that can be used.
 *
 * @param warnings what may surprise, in the order of the file
 * @param text the file's
 */
public record ParsedPipeline(PipelineSpec spec, List<Problem> warnings, String text) {

  public ParsedPipeline {
    warnings = List.copyOf(warnings);
  }
}
