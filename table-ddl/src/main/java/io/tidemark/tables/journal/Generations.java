package io.tidemark.tables.journal;

import io.tidemark.spec.error.DataRefusedException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.Generation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * All generations of a pipeline, in the order of their numbers, retired ones too: no number is used
 * twice. At most one is live, and at most one is on its way to be. Each change gives a new value.
 */
public record Generations(List<GenerationRow> rows) {

  public static final Generations NONE = new Generations(List.of());

  public Generations {
    rows = List.copyOf(rows);
  }

  /** The one that readers see; empty before {@code init} has finished. */
  public Optional<GenerationRow> live() {
    return in(GenerationState.LIVE);
  }

  /** The one whose batch part is not complete yet. */
  public Optional<GenerationRow> building() {
    return in(GenerationState.BUILDING);
  }

  /** The one that is built or has been, and was never live. */
  public Optional<GenerationRow> candidate() {
    return building().or(() -> in(GenerationState.CANDIDATE));
  }

  private Optional<GenerationRow> in(GenerationState state) {
    return rows.stream().filter(row -> row.state() == state).findFirst();
  }

  /** Those that streams feed and settlements adopt into: the live one first, then the newest. */
  public List<GenerationRow> fed() {
    List<GenerationRow> fed = new ArrayList<>();
    live().ifPresent(fed::add);
    for (int i = rows.size() - 1; i >= 0; i--) {
      GenerationRow row = rows.get(i);
      if (row.state().isFed() && row.state() != GenerationState.LIVE) {
        fed.add(row);
      }
    }
    return fed;
  }

  /** The newest one with this fingerprint that is not retired. */
  public Optional<GenerationRow> of(String fingerprint) {
    return rows.stream()
        .filter(row -> row.state() != GenerationState.RETIRED)
        .filter(row -> row.definition().fingerprint().equals(fingerprint))
        .reduce((older, newer) -> newer);
  }

  /**
   * One by its number.
   *
   * @throws SpecException if there is none
   */
  public GenerationRow require(Generation generation) {
    return rows.stream()
        .filter(row -> row.generation().equals(generation))
        .findFirst()
        .orElseThrow(
            () ->
                new SpecException(
                    "There is no generation %s; there are: %s.".formatted(generation, inWords())));
  }

  /** Like {@code g1 live, g2 candidate}. */
  public String inWords() {
    return rows.stream()
        .map(row -> row.generation() + " " + row.state().label())
        .collect(Collectors.joining(", "));
  }

  /** The number of the one to be built next. */
  public Generation next() {
    return rows.isEmpty()
        ? Generation.FIRST
        : new Generation(rows.get(rows.size() - 1).generation().number() + 1);
  }

  /**
   * With one more.
   *
   * @throws SpecException if another one is on its way to be live
   */
  public Generations with(GenerationRow row) {
    if (row.state() == GenerationState.BUILDING) {
      candidate()
          .ifPresent(
              other -> {
                throw new SpecException(
                    "Cannot build %s: %s is %s already. Promote it, or give it up with 'tidemark retire … %s'."
                        .formatted(
                            row.generation(),
                            other.generation(),
                            other.state().label(),
                            other.generation()));
              });
    }
    List<GenerationRow> more = new ArrayList<>(rows);
    more.add(row);
    return new Generations(more);
  }

  /** After its batch part is complete. */
  public Generations built(Generation generation) {
    requireState(generation, "built", GenerationState.BUILDING);
    return changed(generation, row -> row.in(GenerationState.CANDIDATE));
  }

  /** With what a comparison found. */
  public Generations compared(Generation generation, ComparisonNote note) {
    requireState(generation, "compared", GenerationState.CANDIDATE, GenerationState.KEPT);
    return changed(generation, row -> row.compared(note));
  }

  /**
   * With the candidate served to a share of users.
   *
   * @param percent 0: to nobody
   * @throws SpecException if there is no candidate that is fed
   */
  public Generations served(int percent) {
    GenerationRow candidate =
        in(GenerationState.CANDIDATE)
            .orElseThrow(
                () ->
                    new SpecException("There is no candidate to serve (%s).".formatted(inWords())));
    return changed(candidate.generation(), row -> row.served(percent));
  }

  /**
   * After readers have been moved from the live one to another that is fed.
   *
   * @param live the one that the caller took for live
   * @throws DataRefusedException if it is not that any more
   */
  public Generations madeLive(Generation generation, Generation live, Instant now) {
    requireState(generation, "made live", GenerationState.CANDIDATE, GenerationState.KEPT);
    if (live().filter(row -> row.generation().equals(live)).isEmpty()) {
      throw new DataRefusedException(
          "Cannot make %s live: %s, which it was compared with, is not live any more (%s). Compare again."
              .formatted(generation, live, inWords()));
    }
    Generations after =
        changed(live, row -> row.replaced(now)).changed(generation, row -> row.madeLive(now));
    // What was served beside the one that was live is compared with another now.
    return new Generations(after.rows().stream().map(row -> row.served(0)).toList());
  }

  /** After one has been given up. */
  public Generations retired(Generation generation) {
    requireState(
        generation,
        "retired",
        GenerationState.BUILDING,
        GenerationState.CANDIDATE,
        GenerationState.KEPT);
    return changed(generation, row -> row.in(GenerationState.RETIRED));
  }

  private void requireState(Generation generation, String what, GenerationState... states) {
    GenerationState state = require(generation).state();
    if (!List.of(states).contains(state)) {
      throw new SpecException(
          "Generation %s is %s: it cannot be %s. There are: %s."
              .formatted(generation, state.label(), what, inWords()));
    }
  }

  private Generations changed(Generation generation, UnaryOperator<GenerationRow> change) {
    return new Generations(
        rows.stream()
            .map(row -> row.generation().equals(generation) ? change.apply(row) : row)
            .toList());
  }
}
