package io.tidemark.ingest;

import io.tidemark.spec.error.TidemarkException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.spark.sql.streaming.Trigger;

/**
 * Runs the jobs of one driver, each under its checkpoint's lock, until they are done, one that is
 * required dies, or a stop is asked for. A job that is not required, a candidate's or a kept
 * generation's, never ends the others: it is started again, later and later.
 */
public final class StreamRun {

  /**
   * A job that is to run.
   *
   * @param required whether the run ends when it dies
   */
  public record Wanted(StreamJob job, boolean required) {}

  /** How a run goes on. */
  public sealed interface Pace {

    /** Reads what is there now, then ends; the jobs run one after the other. */
    record AvailableNow() implements Pace {}

    /** Runs until it is stopped, all jobs at once, with a batch at most each interval. */
    record Every(Duration interval) implements Pace {}
  }

  private static final long POLL_MILLIS = 100;

  /** How often a run looks whether other jobs are wanted. */
  private static final Duration LOOK = Duration.ofSeconds(5);

  private final Duration patience;
  private final Consumer<String> messages;
  private final Clock clock = Clock.systemUTC();

  /**
   * @param patience how long a stop waits for the running batch before it breaks it off; the batch
   *     is then repeated at the next start
   * @param messages takes sentences for the operator
   */
  public StreamRun(Duration patience, Consumer<String> messages) {
    this.patience = patience;
    this.messages = messages;
  }

  /**
   * Runs these jobs, all of them required.
   *
   * @throws io.tidemark.spec.error.ConflictException if a checkpoint is in use
   * @throws TidemarkException if a job cannot start or dies of one
   */
  public List<BatchTally> run(List<? extends StreamJob> jobs, Pace pace, StopSignal stop) {
    List<Wanted> wanted = jobs.stream().map(job -> new Wanted(job, true)).toList();
    return run(() -> wanted, pace, stop);
  }

  /**
   * Runs the jobs that are wanted, and follows when that changes.
   *
   * @param wanted asked at the start, and every few seconds where the run goes on until it is
   *     stopped; a job is known by its checkpoint
   * @throws io.tidemark.spec.error.ConflictException if a required job's checkpoint is in use
   * @throws TidemarkException if a required job cannot start or dies of one
   */
  public List<BatchTally> run(Supplier<List<Wanted>> wanted, Pace pace, StopSignal stop) {
    if (pace instanceof Pace.Every every) {
      Trigger trigger = Trigger.ProcessingTime(every.interval().toMillis());
      try (Fleet fleet = new Fleet(trigger, patience, messages, clock)) {
        fleet.follow(wanted.get());
        return runUntilStopped(fleet, wanted, stop);
      }
    }
    return runOnce(wanted.get(), stop);
  }

  private List<BatchTally> runUntilStopped(
      Fleet fleet, Supplier<List<Wanted>> wanted, StopSignal stop) {
    Instant nextLook = clock.instant().plus(LOOK);
    while (fleet.isActive()) {
      if (fleet.hasLostRequired() || !clock.instant().isBefore(nextLook)) {
        // One that died may not be required any more.
        look(fleet, wanted);
        nextLook = clock.instant().plus(LOOK);
      }
      fleet.tend();
      if (stop.await(POLL_MILLIS)) {
        break;
      }
    }
    return fleet.stop();
  }

  private void look(Fleet fleet, Supplier<List<Wanted>> wanted) {
    List<Wanted> now;
    try {
      now = wanted.get();
    } catch (RuntimeException e) {
      messages.accept(
          "Cannot see whether other streams are wanted, and goes on: " + e.getMessage());
      return;
    }
    fleet.follow(now);
  }

  /** The required ones first; each is finished before the next begins. */
  private List<BatchTally> runOnce(List<Wanted> wanted, StopSignal stop) {
    List<BatchTally> tallies = new ArrayList<>();
    List<Wanted> required = wanted.stream().filter(Wanted::required).toList();
    try (Fleet fleet = new Fleet(Trigger.AvailableNow(), patience, messages, clock)) {
      fleet.lock(required);
      for (Wanted one : required) {
        tallies.addAll(runOnce(fleet, one, stop));
      }
    }
    for (Wanted one : wanted) {
      if (one.required()) {
        continue;
      }
      try (Fleet fleet = new Fleet(Trigger.AvailableNow(), patience, messages, clock)) {
        fleet.lock(List.of(new Wanted(one.job(), true)));
        tallies.addAll(runOnce(fleet, new Wanted(one.job(), true), stop));
      } catch (Exception e) {
        messages.accept(Fleet.withoutIt(one.job(), e));
      }
    }
    return tallies;
  }

  private static List<BatchTally> runOnce(Fleet fleet, Wanted one, StopSignal stop) {
    if (stop.isRequested()) {
      return List.of();
    }
    fleet.start(one);
    while (fleet.isActive()) {
      fleet.tend();
      if (stop.await(POLL_MILLIS)) {
        break;
      }
    }
    return fleet.finish(one);
  }
}
