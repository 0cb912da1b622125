package io.tidemark.tables;

import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.journal.GenerationState;
import io.tidemark.tables.journal.Generations;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A pipeline as a job finds it.
 *
 * @param generations all of them, retired ones too
 * @param fed those that streams feed and settlements adopt into, the live one first
 * @param building the one whose batch part is not complete yet; its tables may not be there
 */
public record ServedPipeline(
    Generations generations, List<ServedGeneration> fed, Optional<ServedGeneration> building) {

  public ServedPipeline {
    fed = List.copyOf(fed);
    if (fed.isEmpty()) {
      throw new IllegalArgumentException("a pipeline without a live generation");
    }
  }

  /** The one that readers see. */
  public ServedGeneration live() {
    return fed.get(0);
  }

  /** The one that is complete beside the live one and was never live. */
  public Optional<ServedGeneration> candidate() {
    return fed.stream().filter(one -> one.row().state() == GenerationState.CANDIDATE).findFirst();
  }

  /** All that read the archive or will: those that are fed, and the one that is being built. */
  public List<ServedGeneration> readers() {
    return Stream.concat(fed.stream(), building.stream()).toList();
  }

  /** The candidate, where it is served to a share of users. */
  public Optional<ServedGeneration> canary() {
    return candidate().filter(one -> one.row().canary() > 0);
  }

  /** One by its number, or the live one. */
  public ServedGeneration choose(Optional<Generation> generation) {
    return generation.map(this::require).orElseGet(this::live);
  }

  /**
   * One by its number.
   *
   * @throws SpecException if it is not among those that are fed
   */
  public ServedGeneration require(Generation generation) {
    return fed.stream()
        .filter(one -> one.generation().equals(generation))
        .findFirst()
        .orElseThrow(
            () ->
                new SpecException(
                    "Generation %s is not fed; there are: %s."
                        .formatted(generation, generations.inWords())));
  }
}
