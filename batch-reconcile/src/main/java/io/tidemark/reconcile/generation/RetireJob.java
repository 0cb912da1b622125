package io.tidemark.reconcile.generation;

import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.Generation;
import io.tidemark.tables.PipelineSetup;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.journal.GenerationRow;
import io.tidemark.tables.journal.GenerationState;
import io.tidemark.tables.journal.Generations;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The job {@code retire}: gives generations up. Never the live one, and no kept one before its time
 * has passed. Deleting their tables is the caller's, once their streams have let go; a retired
 * generation that still has tables is named again by the next run.
 */
public final class RetireJob {

  private final PipelineSetup setup;
  private final Clock clock;
  private final String run;

  public RetireJob(PipelineSetup setup, Clock clock, String run) {
    this.setup = setup;
    this.clock = clock;
    this.run = run;
  }

  /**
   * How long generations are kept.
   *
   * @param keep how many to keep, the live one among them
   * @param atLeast after they ceased to be live
   */
  public record Policy(int keep, Duration atLeast) {
    public Policy {
      if (keep < 1) {
        throw new SpecException("--keep is " + keep + ": the live generation is kept always.");
      }
    }
  }

  /**
   * Which generations are to be given up now.
   *
   * @param named the only one; empty: all that the policy does not keep
   * @throws SpecException if the one that is named cannot be given up
   */
  public List<Generation> plan(Optional<Generation> named, Policy policy) {
    Generations generations = setup.openWhateverTheFileSays().generations();
    if (named.isPresent()) {
      GenerationRow row = generations.require(named.get());
      requireMayGo(row, policy);
      return row.state() == GenerationState.RETIRED ? List.of() : List.of(row.generation());
    }
    List<GenerationRow> kept =
        new ArrayList<>(
            generations.fed().stream()
                .filter(row -> row.state() == GenerationState.KEPT)
                .sorted(
                    Comparator.comparing((GenerationRow row) -> row.replacedAt().orElseThrow())
                        .reversed())
                .toList());
    return kept.stream()
        .skip(policy.keep() - 1L)
        .filter(row -> !isYoung(row, policy))
        .map(GenerationRow::generation)
        .toList();
  }

  private void requireMayGo(GenerationRow row, Policy policy) {
    if (row.state() == GenerationState.LIVE) {
      throw new SpecException(
          "Generation %s is live: readers see it, so it can't be retired."
              .formatted(row.generation()));
    }
    if (row.canary() > 0) {
      throw new SpecException(
          "Generation %s is served to %d%% of the users: end that first, with 'tidemark canary … off'."
              .formatted(row.generation(), row.canary()));
    }
    if (row.state() == GenerationState.KEPT && isYoung(row, policy)) {
      throw new SpecException(
          "Generation %s was live until %s and is kept for %d h after that, to go back to. Wait until %s, or give a shorter --at-least."
              .formatted(
                  row.generation(),
                  row.replacedAt().orElseThrow(),
                  policy.atLeast().toHours(),
                  keptUntil(row, policy)));
    }
  }

  private boolean isYoung(GenerationRow row, Policy policy) {
    return keptUntil(row, policy).isAfter(clock.instant());
  }

  private static Instant keptUntil(GenerationRow row, Policy policy) {
    return row.replacedAt().orElseThrow().plus(policy.atLeast());
  }

  /**
   * Gives them up: streams stop to feed them, settlements to adopt into them.
   *
   * @throws io.tidemark.spec.error.ConflictException if another change came first
   */
  public void retire(List<Generation> chosen) {
    if (chosen.isEmpty()) {
      return;
    }
    setup
        .journal()
        .change(
            run,
            "retire " + String.join(", ", chosen.stream().map(Generation::name).toList()),
            clock,
            generations -> {
              Generations after = generations;
              for (Generation generation : chosen) {
                after = after.retired(generation);
              }
              return after;
            });
  }

  /** Tables of all generations that have been given up; some may be deleted already. */
  public List<PipelineTables> retired() {
    var pipeline = setup.openWhateverTheFileSays();
    return pipeline.generations().rows().stream()
        .filter(row -> row.state() == GenerationState.RETIRED)
        .map(row -> pipeline.live().tables().of(row.generation()))
        .toList();
  }
}
