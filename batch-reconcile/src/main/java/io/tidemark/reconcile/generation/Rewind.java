package io.tidemark.reconcile.generation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.computation.ArchiveRows;
import io.tidemark.spec.computation.Memberships;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.time.SpecDuration;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.VersionRange;
import io.tidemark.tables.journal.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * How far back in the archive a new generation's stream starts: at the first commit that holds an
 * event of any window that ends after the boundary. Windows up to the boundary are the batch
 * part's, so an earlier start costs time and changes no number; a later one would lose events.
 *
 * @param firstVersion the version of the archive that the stream starts with
 * @param needed from the start of the first window after the boundary to the latest archived event:
 *     how far back in event time the stream has to reach
 * @param excess how much further it was told to reach; zero where it was not
 * @param excessRecords archived records that it reads only for that
 */
public record Rewind(long firstVersion, Duration needed, Duration excess, long excessRecords) {

  /**
   * What the archive says.
   *
   * @param firstStart of the first window that ends after the boundary
   * @param firstVersion the first commit with an event of such a window; empty: none has
   * @param latest event time
   */
  record Measured(Instant firstStart, Optional<Long> firstVersion, Optional<Instant> latest) {}

  /**
   * Finds it.
   *
   * @param version the archive's that the batch part counts
   * @param told how far back to reach from the latest archived event; empty: as far as is needed
   * @throws SpecException if that is too short
   */
  static Rewind of(
      TableFormat format,
      TablePath archive,
      long version,
      PipelineSpec spec,
      Instant boundary,
      Optional<Duration> told) {
    Instant firstStart = spec.window().firstStartOfEndAfter(boundary);
    Dataset<Row> rows =
        ArchiveRows.ingested(format.readWithCommitVersions(archive, version))
            .filter(col(ArchiveColumns.EVENT_DATE).geq(lit(date(firstStart))));
    Column commit = col(ArchiveColumns.COMMIT_VERSION);
    Row found =
        Memberships.of(rows, spec)
            .filter(col(Memberships.WINDOW_END).gt(lit(boundary)))
            .agg(min(commit), max(Memberships.TIME))
            .head();
    Measured measured =
        new Measured(
            firstStart,
            Optional.ofNullable(found.<Long>getAs(0)),
            Optional.ofNullable(found.get(1)).map(Times::instant));
    // Without such an event yet, the pinned version itself: what comes is behind it.
    long computed = measured.firstVersion().orElse(version);
    Duration needed = needed(measured);
    if (told.isEmpty()) {
      return new Rewind(computed, needed, Duration.ZERO, 0);
    }
    requireEnough(told.get(), needed, boundary, measured);
    Instant from = measured.latest().map(latest -> latest.minus(told.get())).orElse(firstStart);
    Row earlier =
        Memberships.considered(
                ArchiveRows.ingested(format.readWithCommitVersions(archive, version))
                    .filter(col(ArchiveColumns.EVENT_TIME).geq(lit(from))),
                spec)
            .agg(min(commit))
            .head();
    long first = earlier.isNullAt(0) ? computed : Math.min(computed, earlier.getLong(0));
    return new Rewind(
        first,
        needed,
        told.get().minus(needed),
        format.backlog(archive, VersionRange.since(first - 1, computed - 1)).rows());
  }

  /** Whole seconds, so that it can be given on the command line. */
  private static Duration needed(Measured measured) {
    return measured
        .latest()
        .map(
            latest ->
                Duration.between(measured.firstStart(), latest.truncatedTo(ChronoUnit.SECONDS))
                    .plusSeconds(1))
        .orElse(Duration.ZERO);
  }

  static void requireEnough(Duration told, Duration needed, Instant boundary, Measured measured) {
    if (told.compareTo(needed) >= 0) {
      return;
    }
    Instant latest = measured.latest().orElseThrow();
    throw new SpecException(
        "--rewind %s is too short by %s: the batch part ends at %s, and the latest archived event is of %s. Events from %s to %s would be in neither part. Give --rewind %s or more, or none: then it is computed."
            .formatted(
                SpecDuration.format(told),
                SpecDuration.format(needed.minus(told)),
                boundary,
                latest,
                measured.firstStart(),
                latest.minus(told),
                SpecDuration.format(needed)));
  }

  private static LocalDate date(Instant instant) {
    return instant.atZone(ZoneOffset.UTC).toLocalDate();
  }
}
