package io.tidemark.reconcile.generation;

import io.tidemark.spec.error.ConflictException;
import io.tidemark.spec.error.DataRefusedException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.CanaryViews;
import io.tidemark.tables.Generation;
import io.tidemark.tables.PipelineSetup;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.ServedPipeline;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.journal.GenerationRow;
import io.tidemark.tables.journal.GenerationState;
import io.tidemark.tables.journal.Generations;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;

/**
 * The jobs {@code promote}, {@code roll-back} and {@code canary}: move readers to another
 * generation by one commit that takes effect only if nothing has changed since it was decided on.
 * The one they leave is kept, fed and settled on.
 */
public final class PointerJob {

  private final SparkSession spark;
  private final PipelineSetup setup;
  private final TableFormat format;
  private final Clock clock;
  private final String run;
  private final Consumer<Duration> sleeper;

  /**
   * @param run names this run, unlike any before
   * @param sleeper waits between two looks
   */
  public PointerJob(
      SparkSession spark,
      PipelineSetup setup,
      TableFormat format,
      Clock clock,
      String run,
      Consumer<Duration> sleeper) {
    this.spark = spark;
    this.setup = setup;
    this.format = format;
    this.clock = clock;
    this.run = run;
    this.sleeper = sleeper;
  }

  /**
   * What must hold.
   *
   * @param behind how far the generation may be behind the live one
   * @param patience how long to wait for that while both move
   * @param force why it is to be done whatever holds; empty: it is not
   */
  public record Conditions(Duration behind, Duration patience, Optional<String> force) {}

  /**
   * What was done.
   *
   * @param from was live and is kept now
   * @param freshness of the other one, just before
   */
  public record Moved(Generation from, Generation to, Freshness freshness, Generations after) {}

  /**
   * Makes the candidate live.
   *
   * @throws SpecException if there is none
   * @throws DataRefusedException if it was not compared with the live one, or more differs than was
   *     tolerated
   * @throws ConflictException if it does not catch up in time, or another change came first
   */
  public Moved promote(Conditions conditions) {
    ServedPipeline pipeline = setup.openWhateverTheFileSays();
    GenerationRow candidate =
        pipeline
            .generations()
            .candidate()
            .orElseThrow(
                () ->
                    new SpecException(
                        "There is no candidate to promote (%s). Build one with 'tidemark rebuild'."
                            .formatted(pipeline.generations().inWords())));
    if (candidate.state() == GenerationState.BUILDING) {
      throw new SpecException(
          "Generation %s is not complete: run 'tidemark rebuild' again, it goes on where it stopped."
              .formatted(candidate.generation()));
    }
    if (conditions.force().isEmpty()) {
      requireCompared(candidate, pipeline.live().generation());
    }
    return move(pipeline, pipeline.require(candidate.generation()), "promote", conditions);
  }

  private static void requireCompared(GenerationRow candidate, Generation live) {
    boolean compared = candidate.comparison().filter(note -> note.live().equals(live)).isPresent();
    if (!compared) {
      throw new DataRefusedException(
          "%s has not been compared with %s: run 'tidemark compare' and look at the differences, or promote with --force 'reason'."
              .formatted(candidate.generation(), live));
    }
    candidate
        .comparison()
        .filter(note -> !note.within())
        .ifPresent(
            note -> {
              if (note.rows() == 0) {
                throw new DataRefusedException(
                    "No rows of %s could be compared with those of %s one by one (run %s). Look at its totals; if they are right, promote with --force 'reason'."
                        .formatted(candidate.generation(), live, note.run()));
              }
              throw new DataRefusedException(
                  "%d of %d rows of %s differ from %s, more than its comparison (run %s) tolerated. If that is what the change is for, compare again with --expect MEASURE or a higher --tolerance, or promote with --force 'reason'."
                      .formatted(
                          note.differing(), note.rows(), candidate.generation(), live, note.run()));
            });
  }

  /**
   * Serves the candidate to a share of the users.
   *
   * @param percent 0: to nobody any more
   * @throws SpecException if there is no candidate, or readers of the live one would miss something
   * @throws ConflictException if it does not catch up in time, or another change came first
   */
  public Generations canary(int percent, Conditions conditions) {
    ServedPipeline pipeline = setup.openWhateverTheFileSays();
    if (percent > 0) {
      ServedGeneration candidate =
          pipeline
              .candidate()
              .orElseThrow(
                  () ->
                      new SpecException(
                          "There is no candidate to serve (%s)."
                              .formatted(pipeline.generations().inWords())));
      CanaryViews.requireSameColumns(pipeline.live().spec(), candidate.spec());
      awaitFreshness(pipeline.live(), candidate, conditions);
    }
    return setup
        .journal()
        .change(
            run,
            "canary " + percent + "%",
            clock,
            pipeline.generations(),
            generations -> generations.served(percent));
  }

  /**
   * Makes a kept generation live again.
   *
   * @param generation empty: the one that was live last
   * @throws SpecException if there is none
   * @throws ConflictException if it does not catch up in time, or another change came first
   */
  public Moved rollBack(Optional<Generation> generation, Conditions conditions) {
    ServedPipeline pipeline = setup.openWhateverTheFileSays();
    ServedGeneration target =
        generation
            .map(pipeline::require)
            .or(() -> lastLive(pipeline))
            .filter(one -> one.row().state() == GenerationState.KEPT)
            .orElseThrow(
                () ->
                    new SpecException(
                        "There is no kept generation to go back to (%s)."
                            .formatted(pipeline.generations().inWords())));
    return move(pipeline, target, "roll back to", conditions);
  }

  private static Optional<ServedGeneration> lastLive(ServedPipeline pipeline) {
    return pipeline.fed().stream()
        .filter(one -> one.row().state() == GenerationState.KEPT)
        .max(Comparator.comparing(one -> one.row().replacedAt().orElseThrow()));
  }

  private Moved move(
      ServedPipeline pipeline, ServedGeneration to, String what, Conditions conditions) {
    ServedGeneration live = pipeline.live();
    Freshness freshness = awaitFreshness(live, to, conditions);
    String change =
        what
            + " "
            + to.generation()
            + conditions.force().map(reason -> ", forced: " + reason).orElse("");
    Generations after =
        setup
            .journal()
            .change(
                run,
                change,
                clock,
                pipeline.generations(),
                generations ->
                    generations.madeLive(to.generation(), live.generation(), clock.instant()));
    return new Moved(live.generation(), to.generation(), freshness, after);
  }

  private Freshness awaitFreshness(
      ServedGeneration live, ServedGeneration to, Conditions conditions) {
    Duration pause = Duration.ofSeconds(1);
    Duration waited = Duration.ZERO;
    while (true) {
      Freshness freshness = Freshness.of(spark, format, clock, live, to);
      if (conditions.force().isPresent() || freshness.isWithin(conditions.behind())) {
        return freshness;
      }
      if (freshness.unsettled().isPresent()) {
        throw new ConflictException(
            "Cannot make %s live: windows through %s are settled in %s and not in %s, so readers would lose exact numbers. Run 'tidemark settle', then again."
                .formatted(
                    to.generation(),
                    freshness.unsettled().get(),
                    live.generation(),
                    to.generation()));
      }
      if (waited.compareTo(conditions.patience()) >= 0) {
        throw new ConflictException(
            "Cannot make %s live: its stream %s, after %d s of waiting. Let 'tidemark stream' feed it, then run again; or use --force 'reason'."
                .formatted(
                    to.generation(),
                    freshness.unread()
                        ? "has read nothing yet"
                        : "is %d s behind that of %s, and %d s are allowed"
                            .formatted(
                                freshness.behind().toSeconds(),
                                live.generation(),
                                conditions.behind().toSeconds()),
                    waited.toSeconds()));
      }
      sleeper.accept(pause);
      waited = waited.plus(pause);
    }
  }
}
