package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.sum;

import io.tidemark.spec.Measure;
import io.tidemark.spec.PipelineSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;

/**
 * The aggregate: the one definition that stream and recount share. Rows have the columns {@code
 * window_start, window_end}, the keys, the measures' stored columns, {@code event_count}, and the
 * partition; one row per (window, key).
 */
public final class Aggregation {

  /** Only in a recount: the uncounted memberships behind a row, copies included. */
  public static final String MEMBERSHIPS = "memberships";

  /** Only in a recount: those of them that are copies of another. */
  public static final String DUPLICATES = "duplicates";

  /** Only in a recount: the uncounted events of a row that the stream left out as too late. */
  public static final String LEFT_OUT = "left_out";

  /** Only in a recount: the uncounted events of a row that no stream has seen: all imported. */
  public static final String IMPORTED = "imported";

  /** What a recount's rows have besides the stream's. */
  public static final List<String> BALANCE = List.of(MEMBERSHIPS, DUPLICATES, LEFT_OUT, IMPORTED);

  private Aggregation() {}

  /**
   * The stream's side.
   *
   * @param archive a stream of archive rows, in whole commits
   * @return the rows that a batch changed (update mode) or closed (append mode)
   */
  public static Dataset<Row> ofStream(Dataset<Row> archive, PipelineSpec spec) {
    return grouped(Copies.firstSeen(Memberships.watermarked(archive, spec), spec), spec, List.of());
  }

  /**
   * The recount's side: exact, with {@link #MEMBERSHIPS}, {@link #DUPLICATES}, {@link #LEFT_OUT}
   * and {@link #IMPORTED} besides.
   *
   * @param memberships all memberships of every (window, key) that is to be recounted
   * @param uncounted whether a membership is in no ledger yet, so that sums over all recounts hold
   *     each once
   * @param bounds what the stream had closed when it read each commit of the archive
   */
  public static Dataset<Row> ofMemberships(
      Dataset<Row> memberships, Column uncounted, PipelineSpec spec, StreamBounds bounds) {
    Dataset<Row> marked = memberships.withColumn(Copies.UNCOUNTED, uncounted);
    Dataset<Row> first = bounds.mark(Copies.firstByPosition(marked, spec));
    Column event = col(Copies.UNCOUNTED);
    Column imported = col(Memberships.IMPORTED).and(not(col(StreamBounds.BUILT)));
    return grouped(
        first,
        spec,
        List.of(
            sum(col(Copies.NUMBER)).as(MEMBERSHIPS),
            sum(col(Copies.NUMBER).minus(event.cast(DataTypes.LongType))).as(DUPLICATES),
            count_if(event.and(not(imported)).and(col(StreamBounds.TOO_LATE))).as(LEFT_OUT),
            count_if(event.and(imported)).as(IMPORTED)));
  }

  /** The recount's side where no ledger has counted anything. */
  public static Dataset<Row> ofMemberships(
      Dataset<Row> memberships, PipelineSpec spec, StreamBounds bounds) {
    return ofMemberships(memberships, lit(true), spec, bounds);
  }

  private static Dataset<Row> grouped(
      Dataset<Row> firstCopies, PipelineSpec spec, List<Column> extraAggregates) {
    List<Column> groups = new ArrayList<>();
    groups.add(col(Memberships.WINDOW));
    AggregateColumns.keys(spec).forEach(key -> groups.add(col(key.quoted())));

    Column eventCount = count(lit(1)).as(AggregateColumns.EVENT_COUNT);
    List<Column> aggregates = new ArrayList<>();
    for (Measure measure : spec.measures()) {
      Column input =
          MeasureColumns.input(measure).isPresent() ? col(Memberships.inputName(measure)) : lit(1);
      aggregates.addAll(MeasureColumns.aggregates(measure, input));
    }
    aggregates.addAll(extraAggregates);

    List<Column> columns = new ArrayList<>();
    columns.add(col(Memberships.WINDOW_START).as(AggregateColumns.WINDOW_START));
    columns.add(col(Memberships.WINDOW_END).as(AggregateColumns.WINDOW_END));
    AggregateColumns.keys(spec).forEach(key -> columns.add(col(key.quoted())));
    AggregateColumns.measures(spec).forEach(column -> columns.add(col(column.name().quoted())));
    if (!extraAggregates.isEmpty()) {
      BALANCE.forEach(name -> columns.add(col(name)));
    }
    columns.add(
        AggregateColumns.partition(spec.partition(), col(Memberships.WINDOW_END))
            .as(spec.partition().columnName()));
    return firstCopies
        .groupBy(groups.toArray(Column[]::new))
        .agg(eventCount, aggregates.toArray(Column[]::new))
        .select(columns.toArray(Column[]::new));
  }
}
