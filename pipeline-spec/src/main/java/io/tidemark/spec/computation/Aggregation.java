package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.date_trunc;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.to_date;
import static org.apache.spark.sql.functions.when;

import io.tidemark.spec.Measure;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.time.PartitionUnit;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The aggregate: the one definition that stream and recount share. Rows have the columns {@code
 * window_start, window_end}, the keys, the measures' stored columns, {@code event_count}, and the
 * partition; one row per (window, key).
 */
public final class Aggregation {

  /** Only in a recount: the memberships behind a row, copies included. */
  public static final String MEMBERSHIPS = "memberships";

  /** Only in a recount: the events of a row that the stream left out as too late. */
  public static final String LEFT_OUT = "left_out";

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
   * The recount's side: exact, with {@link #MEMBERSHIPS} and {@link #LEFT_OUT} besides.
   *
   * @param memberships all memberships of every (window, key) that is to be recounted
   * @param bounds what the stream had closed when it read each commit of the archive
   */
  public static Dataset<Row> ofMemberships(
      Dataset<Row> memberships, PipelineSpec spec, StreamBounds bounds) {
    Dataset<Row> first = bounds.mark(Copies.firstByPosition(memberships, spec));
    return grouped(
        first,
        spec,
        List.of(
            sum(col(Copies.NUMBER)).as(MEMBERSHIPS),
            count(when(col(StreamBounds.TOO_LATE), lit(1))).as(LEFT_OUT)));
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
    columns.add(col(Memberships.WINDOW + ".start").as(AggregateColumns.WINDOW_START));
    columns.add(col(Memberships.WINDOW + ".end").as(AggregateColumns.WINDOW_END));
    AggregateColumns.keys(spec).forEach(key -> columns.add(col(key.quoted())));
    AggregateColumns.measures(spec).forEach(column -> columns.add(col(column.name().quoted())));
    if (!extraAggregates.isEmpty()) {
      columns.add(col(MEMBERSHIPS));
      columns.add(col(LEFT_OUT));
    }
    columns.add(partition(spec.partition()));
    return firstCopies
        .groupBy(groups.toArray(Column[]::new))
        .agg(eventCount, aggregates.toArray(Column[]::new))
        .select(columns.toArray(Column[]::new));
  }

  private static Column partition(PartitionUnit unit) {
    Column last = col(Memberships.WINDOW + ".end").minus(expr("INTERVAL '0.000001' SECOND"));
    Column partition = unit == PartitionUnit.DAY ? to_date(last) : date_trunc("HOUR", last);
    return partition.as(unit.columnName());
  }
}
