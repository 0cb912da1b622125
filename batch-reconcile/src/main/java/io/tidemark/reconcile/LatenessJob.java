package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.percentile_approx;
import static org.apache.spark.sql.functions.when;

import io.tidemark.reconcile.LatenessReport.Group;
import io.tidemark.reconcile.LatenessReport.Percentiles;
import io.tidemark.reconcile.LatenessRequest.Grouping;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.EventLateness;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The job {@code lateness}: measures how late the archive's events came, and what watermarks of
 * other delays would have left out. Writes nothing. Cost: two reads of the archive, and two more
 * with groups.
 */
public final class LatenessJob {

  private static final int SHOWN_GROUPS = 20;
  private static final int ACCURACY = 10_000;

  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;

  public LatenessJob(PipelineSpec spec, PipelineTables tables, TableFormat format) {
    this.spec = spec;
    this.tables = tables;
    this.format = format;
  }

  /** Measures; empty where there is no event to look at. */
  public Optional<LatenessReport> run(LatenessRequest request) {
    long version = format.version(tables.archive());
    Dataset<Row> all =
        EventLateness.of(format.readWithCommitVersions(tables.archive(), version), spec);
    Dataset<Row> events =
        request
            .since()
            .map(since -> all.filter(col(EventLateness.ARRIVAL_TIME).geq(lit(since))))
            .orElse(all);
    return measured(version, events, request.by());
  }

  private Optional<LatenessReport> measured(
      long version, Dataset<Row> events, Optional<Grouping> by) {
    List<Duration> delays = DelayLadder.delays(spec.watermark());
    List<Column> measures = new ArrayList<>();
    measures.add(count_if(col(EventLateness.ONCE)));
    measures.addAll(percentiles(EventLateness.BEHIND));
    measures.addAll(percentiles(EventLateness.DELAY));
    delays.forEach(delay -> measures.add(count_if(EventLateness.leftOutWith(delay))));
    Row row = events.agg(count(lit(1)), measures.toArray(Column[]::new)).head();
    long memberships = row.getLong(0);
    if (memberships == 0) {
      return Optional.empty();
    }
    List<DelayLadder.Rung> rungs = new ArrayList<>();
    for (Duration delay : delays) {
      rungs.add(new DelayLadder.Rung(delay, row.getLong(6 + rungs.size())));
    }
    return Optional.of(
        new LatenessReport(
            version,
            row.getLong(1),
            percentiles(row, 2),
            percentiles(row, 4),
            by.map(grouping -> groups(events, column(grouping))).orElse(List.of()),
            new DelayLadder(memberships, rungs)));
  }

  private static String column(Grouping by) {
    return switch (by) {
      case SOURCE -> EventLateness.SOURCE;
      case KEY -> EventLateness.KEY;
    };
  }

  private static List<Group> groups(Dataset<Row> events, String by) {
    return events
        .filter(col(EventLateness.ONCE))
        .groupBy(by)
        .agg(
            count(lit(1)).as("events"),
            percentiles(EventLateness.BEHIND).get(0).as("percentiles"),
            percentiles(EventLateness.BEHIND).get(1).as("largest"))
        .orderBy(col("percentiles").getItem(2).desc(), col("largest").desc(), col(by))
        .limit(SHOWN_GROUPS)
        .collectAsList()
        .stream()
        .map(row -> new Group(row.getString(0), row.getLong(1), percentiles(row, 2)))
        .toList();
  }

  /** An array of percentiles, and the largest, over each event once. */
  private static List<Column> percentiles(String name) {
    Column value = when(col(EventLateness.ONCE), col(name));
    return List.of(
        percentile_approx(value, array(lit(0.5), lit(0.9), lit(0.99), lit(0.999)), lit(ACCURACY)),
        max(value));
  }

  private static Percentiles percentiles(Row row, int index) {
    List<Long> values = row.getList(index);
    return new Percentiles(
        duration(values.get(0)),
        duration(values.get(1)),
        duration(values.get(2)),
        duration(values.get(3)),
        duration(row.getLong(index + 1)));
  }

  private static Duration duration(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }
}
