package io.tidemark.reconcile.generation;

import io.tidemark.merge.SettlementMarks;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.journal.ProgressJournal;
import io.tidemark.tables.journal.ProgressStep;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;

/**
 * How far a generation is behind the live one. Judged by the archive's commits that their streams
 * have read, not by their frontiers: these differ for good where the watermark does.
 *
 * @param behind from the commit that it has read through to the one that the live one has, by the
 *     archive's log; zero where it has read as much
 * @param unread whether it has read nothing yet
 * @param unsettled windows through then are settled in the live one and not in it; empty: none
 */
public record Freshness(Duration behind, boolean unread, Optional<Instant> unsettled) {

  /** As it is now. Cost: small reads of both logs. */
  static Freshness of(
      SparkSession spark,
      TableFormat format,
      Clock clock,
      ServedGeneration live,
      ServedGeneration other) {
    long liveRead = readThrough(spark, format, clock, live);
    long read = readThrough(spark, format, clock, other);
    // As far as the other one's partitions can follow.
    Optional<Instant> settledInLive =
        marks(format, live).settledThrough().map(other.spec().partition()::floor);
    Optional<Instant> settled = marks(format, other).settledThrough();
    Optional<Instant> unsettled =
        settledInLive.filter(through -> settled.filter(s -> !s.isBefore(through)).isEmpty());
    Duration behind = Duration.ZERO;
    if (read < liveRead) {
      Optional<Instant> from = format.committedAt(live.tables().archive(), Math.max(read, 0));
      Optional<Instant> to = format.committedAt(live.tables().archive(), liveRead);
      behind =
          from.isPresent() && to.isPresent()
              ? Duration.between(from.get(), to.get())
              : Duration.ofSeconds(Long.MAX_VALUE);
    }
    return new Freshness(behind, read < liveRead && read < 0, unsettled);
  }

  boolean isWithin(Duration most) {
    return !unread && behind.compareTo(most) <= 0 && unsettled.isEmpty();
  }

  private static SettlementMarks marks(TableFormat format, ServedGeneration generation) {
    return new SettlementMarks(format, generation.tables().aggregates());
  }

  private static long readThrough(
      SparkSession spark, TableFormat format, Clock clock, ServedGeneration generation) {
    return new ProgressJournal(spark, format, generation.tables().progress(), clock)
        .newest()
        .filter(ProgressStep::isOfStream)
        .map(ProgressStep::readThrough)
        .orElse(ProgressStep.NOTHING_READ);
  }
}
