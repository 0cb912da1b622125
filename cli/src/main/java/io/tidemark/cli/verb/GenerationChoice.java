package io.tidemark.cli.verb;

import io.tidemark.tables.Generation;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.ServedPipeline;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The generation that a verb is about: the live one, or another that is fed. */
final class GenerationChoice {

  @Option(
      names = "--generation",
      paramLabel = "gN",
      description = "A candidate or kept generation instead of the live one.")
  private @Nullable Generation generation;

  Optional<Generation> given() {
    return Optional.ofNullable(generation);
  }

  ServedGeneration of(ServedPipeline pipeline) {
    return pipeline.choose(given());
  }
}
