package io.tidemark.reconcile.generation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.Aggregation;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.computation.Memberships;
import io.tidemark.spec.computation.StreamBounds;
import io.tidemark.tables.PartitionFiles;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * How fast this machine counts an archive by a definition, found out by counting one day of it.
 *
 * @param day that was counted
 * @param bytes of the day
 * @param took to count it
 */
public record Pace(LocalDate day, long bytes, Duration took) {

  /** A day of so much is enough to tell by. */
  private static final long ENOUGH_BYTES = 16L * 1024 * 1024;

  /** Counts the smallest day that is large enough, or the largest; empty: the archive has none. */
  static Optional<Pace> measured(
      SparkSession spark, TableFormat format, TablePath archive, PipelineSpec spec, Clock clock) {
    List<PartitionFiles> days =
        format.files(archive).stream()
            .filter(day -> day.start().isPresent())
            .sorted(Comparator.comparingLong(PartitionFiles::bytes))
            .toList();
    return days.stream()
        .filter(day -> day.bytes() >= ENOUGH_BYTES)
        .findFirst()
        .or(() -> days.stream().reduce((smaller, larger) -> larger))
        .map(day -> measured(spark, format, archive, spec, clock, day));
  }

  private static Pace measured(
      SparkSession spark,
      TableFormat format,
      TablePath archive,
      PipelineSpec spec,
      Clock clock,
      PartitionFiles counted) {
    LocalDate day = counted.start().orElseThrow().atZone(ZoneOffset.UTC).toLocalDate();
    Instant began = clock.instant();
    Dataset<Row> rows =
        Aggregation.ofMemberships(
            Memberships.of(
                format
                    .readWithCommitVersions(archive, format.version(archive))
                    .filter(col(ArchiveColumns.EVENT_DATE).equalTo(lit(day))),
                spec),
            lit(true),
            spec,
            StreamBounds.none(spark));
    // A count would spare the measures.
    rows.write().format("noop").mode("overwrite").save();
    return new Pace(day, counted.bytes(), Duration.between(began, clock.instant()));
  }

  /** For so many bytes. */
  Duration of(long wanted) {
    return took.multipliedBy(Math.max(1, Math.round((double) wanted / bytes)));
  }
}
