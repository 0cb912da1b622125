package io.tidemark.ingest;

import io.tidemark.spec.error.TidemarkException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;

/** A job's query while it runs. */
final class RunningQuery {

  private final StreamJob job;
  private final StreamingQuery query;
  private BatchTally tally;

  RunningQuery(StreamJob job, StreamingQuery query) {
    this.job = job;
    this.query = query;
    this.tally = BatchTally.none(job.name());
  }

  boolean isActive() {
    return query.isActive();
  }

  boolean isDead() {
    return query.exception().isDefined();
  }

  /** Whether it has died of what a new start cures. */
  boolean goesOnWhenStartedAgain() {
    return query.exception().isDefined() && job.goesOnAfter(query.exception().get());
  }

  void count() {
    tally = tally.with(query.recentProgress());
  }

  BatchTally tally() {
    return tally;
  }

  /**
   * Throws what the query died of.
   *
   * @throws TidemarkException if it died of one of ours, or the job knows the reason
   * @throws IllegalStateException if it died of something else
   */
  void throwIfDead() {
    if (query.exception().isDefined()) {
      Throwable death = query.exception().get();
      throw ours(death)
          .or(() -> job.reasonFor(death))
          .<RuntimeException>map(e -> e)
          .orElseGet(() -> new IllegalStateException("The query " + query.name() + " died", death));
    }
  }

  private static Optional<TidemarkException> ours(Throwable death) {
    for (Throwable cause = death; cause != null; cause = cause.getCause()) {
      if (cause instanceof TidemarkException e) {
        return Optional.of(e);
      }
    }
    return Optional.empty();
  }

  /** Waits until the batch that is running now has ended, at most so long, then stops. */
  void stopAfterBatch(Duration patience) {
    String before = lastReport();
    long end = System.nanoTime() + patience.toNanos();
    while (query.isActive()
        && query.status().isTriggerActive()
        && lastReport().equals(before)
        && System.nanoTime() < end) {
      pause();
    }
    stopNow();
  }

  /**
   * Names the newest report by the time of its trigger. Not by its batch: a query that waits has
   * reported the batch that is still to come.
   */
  private String lastReport() {
    StreamingQueryProgress progress = query.lastProgress();
    return progress == null ? "" : progress.timestamp();
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void stopNow() {
    try {
      query.stop();
    } catch (TimeoutException e) {
      throw new IllegalStateException("The query " + query.name() + " does not stop", e);
    }
  }
}
