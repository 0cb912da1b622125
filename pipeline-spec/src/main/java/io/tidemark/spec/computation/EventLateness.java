package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.greatest;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.regexp_replace;
import static org.apache.spark.sql.functions.unix_micros;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.Source;
import java.time.Duration;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.expressions.WindowSpec;

/**
 * How late events came: one row per event and window, of copies the one that was archived first.
 * What was imported is left aside: it says nothing about the source's delay.
 *
 * <p>An event is judged by the latest event time among the considered events of all earlier commits
 * of the archive. That is the strictest a stream can be: one that reads several commits in a batch
 * has seen less when it tests them, and leaves out fewer.
 *
 * <p>Example: commits 1 to 3 hold events of 12:00:10, 12:02:30 and 12:00:50. The last came 100 s
 * behind. Its window [12:00, 12:01) would have been closed with a delay of up to 90 s.
 */
public final class EventLateness {

  /** The directory that the event's file lies in. */
  public static final String SOURCE = "source";

  /** The key columns as JSON. */
  public static final String KEY = "key";

  public static final String ARRIVAL_TIME = ArchiveColumns.ARRIVAL_TIME;

  /** Microseconds from the event's time to the latest seen before it; 0 where it is the latest. */
  public static final String BEHIND = "behind";

  /** Microseconds from the event's time to its arrival; negative for a time ahead of it. */
  public static final String DELAY = "delay";

  /** True in one of the windows of each event, the one that starts last. */
  public static final String ONCE = "once";

  private static final String LATEST_BEFORE = "latest_before";

  private EventLateness() {}

  /**
   * Rows of {@code source, key, arrival_time, window_end, latest_before, behind, delay, once}.
   *
   * @param archive archive rows with their commit version
   */
  public static Dataset<Row> of(Dataset<Row> archive, PipelineSpec spec) {
    Dataset<Row> ingested = ArchiveRows.ingested(archive);
    Column time = unix_micros(col(Memberships.TIME));
    Column latest = unix_micros(col(LATEST_BEFORE));
    Column start = unix_micros(col(Memberships.WINDOW_START));
    return Copies.firstToArrive(Memberships.of(ingested, spec), spec)
        .join(latestBefore(ingested, spec), ArchiveColumns.COMMIT_VERSION)
        .select(
            place(spec).as(SOURCE),
            AggregateColumns.keysAsJson(spec).as(KEY),
            col(Memberships.ARRIVAL).as(ARRIVAL_TIME),
            col(Memberships.WINDOW_END).as(AggregateColumns.WINDOW_END),
            col(LATEST_BEFORE),
            coalesce(greatest(latest.minus(time), lit(0L)), lit(0L)).as(BEHIND),
            unix_micros(col(Memberships.ARRIVAL)).minus(time).as(DELAY),
            time.lt(start.plus(micros(spec.window().slide()))).as(ONCE));
  }

  /** Whether a stream with this delay would have left the event out of the window. */
  public static Column leftOutWith(Duration delay) {
    Column closes = unix_micros(col(AggregateColumns.WINDOW_END)).plus(micros(delay));
    return coalesce(closes.leq(unix_micros(col(LATEST_BEFORE))), lit(false));
  }

  /** Of each commit the latest event time in those before it; null for the first. */
  private static Dataset<Row> latestBefore(Dataset<Row> archive, PipelineSpec spec) {
    WindowSpec earlier =
        Window.orderBy(ArchiveColumns.COMMIT_VERSION)
            .rowsBetween(Window.unboundedPreceding(), Window.currentRow() - 1);
    return Memberships.considered(archive, spec)
        .groupBy(ArchiveColumns.COMMIT_VERSION)
        .agg(max(Memberships.TIME).as(LATEST_BEFORE))
        .withColumn(LATEST_BEFORE, max(LATEST_BEFORE).over(earlier));
  }

  /** The folder of a file, or the partition of a topic. */
  private static Column place(PipelineSpec spec) {
    Column folder = regexp_replace(col(Memberships.POSITION + ".path"), "/[^/]*$", "");
    return spec.source() instanceof Source.Kafka
        ? coalesce(
            concat(
                col(Memberships.POSITION + "." + SourcePosition.TOPIC),
                lit(" partition "),
                col(Memberships.POSITION + "." + SourcePosition.PARTITION).cast("string")),
            folder)
        : folder;
  }

  private static long micros(Duration duration) {
    return duration.toMillis() * 1000;
  }
}
