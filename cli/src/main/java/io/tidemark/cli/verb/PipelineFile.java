package io.tidemark.cli.verb;

import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.parse.ParsedPipeline;
import io.tidemark.spec.parse.PipelineParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A pipeline file on disk. */
record PipelineFile(Path path) {

  /**
   * Reads and checks it.
   *
   * @throws SpecException if it cannot be read or anything in it is wrong
   */
  ParsedPipeline parse() {
    return PipelineParser.parse(path.toString(), text());
  }

  private String text() {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new SpecException(
          "Cannot read the pipeline file " + path + ": " + e + ". Mend the path.", e);
    }
  }
}
