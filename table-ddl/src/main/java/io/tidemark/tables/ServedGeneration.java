package io.tidemark.tables;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.journal.GenerationRow;

/**
 * A generation that jobs work on.
 *
 * @param spec what it is built from; limits that change no number are those of the file that the
 *     job was given, where the two agree otherwise
 */
public record ServedGeneration(GenerationRow row, PipelineSpec spec, PipelineTables tables) {

  public Generation generation() {
    return row.generation();
  }
}
