package io.tidemark.ingest;

import io.tidemark.spec.error.TidemarkException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * Runs the jobs of one driver, each under its checkpoint's lock, until they are done, one of them
 * dies, or a stop is asked for.
 */
public final class StreamRun {

  /** How a run goes on. */
  public sealed interface Pace {

    /** Reads what is there now, then ends; the jobs run one after the other. */
    record AvailableNow() implements Pace {}

    /** Runs until it is stopped, all jobs at once, with a batch at most each interval. */
    record Every(Duration interval) implements Pace {}
  }

  private static final long POLL_MILLIS = 100;

  private final Duration patience;
  private final Consumer<String> messages;

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
   * Runs the jobs.
   *
   * @throws io.tidemark.spec.error.ConflictException if a checkpoint is in use
   * @throws TidemarkException if a job cannot start or dies of one
   */
  public List<BatchTally> run(List<? extends StreamJob> jobs, Pace pace, StopSignal stop) {
    List<CheckpointLock> locks = new ArrayList<>();
    try {
      for (StreamJob job : jobs) {
        locks.add(CheckpointLock.acquire(job.checkpoint().location()));
      }
      for (StreamJob job : jobs) {
        job.check();
      }
      if (pace instanceof Pace.Every every) {
        return runTogether(jobs, Trigger.ProcessingTime(every.interval().toMillis()), stop);
      }
      List<BatchTally> outcomes = new ArrayList<>();
      for (StreamJob job : jobs) {
        if (!stop.isRequested()) {
          outcomes.addAll(runTogether(List.of(job), Trigger.AvailableNow(), stop));
        }
      }
      return outcomes;
    } finally {
      locks.forEach(CheckpointLock::close);
    }
  }

  private List<BatchTally> runTogether(
      List<? extends StreamJob> jobs, Trigger trigger, StopSignal stop) {
    List<RunningQuery> running = new ArrayList<>();
    try {
      for (StreamJob job : jobs) {
        running.add(new RunningQuery(job, start(job, trigger)));
      }
      while (running.stream().anyMatch(RunningQuery::isActive)) {
        running.forEach(RunningQuery::throwIfDead);
        running.forEach(RunningQuery::count);
        if (stop.await(POLL_MILLIS)) {
          break;
        }
      }
      running.forEach(RunningQuery::throwIfDead);
      running.forEach(query -> query.stopAfterBatch(patience));
      running.forEach(RunningQuery::count);
      return running.stream().map(RunningQuery::tally).toList();
    } finally {
      running.forEach(RunningQuery::stopNow);
    }
  }

  private StreamingQuery start(StreamJob job, Trigger trigger) {
    RuntimeConfig conf = SparkSession.active().conf();
    job.checkpoint().keptSettings(conf).forEach(messages);
    try {
      return job.start(trigger);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("Could not start " + job.name(), e);
    }
  }
}
