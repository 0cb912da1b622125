package io.tidemark.bench.contender;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Aggregates of the minutes before the events: what a stream has written earlier in the same day. A
 * row has the minute's number as its total.
 */
record History(SparkSession spark, PipelineSpec spec, long rows, Instant end) {

  private static final int KEYS = 50_000;
  private static final int MINUTES_PER_SLICE = 20;
  private static final int TOUCHED_AFTER = 1_000;

  /** The rows in slices, oldest first, with the columns of {@code Aggregation.ofStream}. */
  List<Dataset<Row>> slices() {
    List<Dataset<Row>> slices = new ArrayList<>();
    for (long after = minutes(); after > 0; after -= MINUTES_PER_SLICE) {
      slices.add(slice(Math.max(0, after - MINUTES_PER_SLICE), after));
    }
    return slices;
  }

  /**
   * A row of each minute and some of the others in the table, as they are. A stream that has run
   * all the time has merged them by and by, each batch into files of the one before; merged at
   * once, they leave the same files.
   *
   * @param written the table, with rows after the history
   */
  Dataset<Row> touching(Dataset<Row> written) {
    Dataset<Row> one = written.filter(col(AggregateColumns.WINDOW_START).lt(lit(end)));
    Dataset<Row> after = written.filter(col(AggregateColumns.WINDOW_START).geq(lit(end)));
    return one.filter(col("key").equalTo("k0000000"))
        .unionAll(after.limit(TOUCHED_AFTER))
        .selectExpr(slices().get(0).columns());
  }

  boolean isEmpty() {
    return minutes() == 0;
  }

  private long minutes() {
    return rows / KEYS;
  }

  /**
   * @param from minutes before the end at which the slice ends
   * @param to minutes before the end at which it begins
   */
  private Dataset<Row> slice(long from, long to) {
    return spark
        .range(from * KEYS, to * KEYS)
        .select(
            lit(end.minus(Duration.ofMinutes(1)))
                .minus(expr("make_dt_interval(0, 0, id div " + KEYS + ")"))
                .as(AggregateColumns.WINDOW_START),
            expr("concat('k', lpad(mod(id, " + KEYS + "), 7, '0'))").as("key"),
            expr("id div " + KEYS).as("total"),
            lit(1L).as(AggregateColumns.EVENT_COUNT))
        .withColumn(
            AggregateColumns.WINDOW_END,
            col(AggregateColumns.WINDOW_START).plus(expr("INTERVAL '1' MINUTE")))
        .withColumn(
            spec.partition().columnName(),
            AggregateColumns.partition(spec.partition(), col(AggregateColumns.WINDOW_END)));
  }

  /**
   * Takes the history away from what a contender has written.
   *
   * @throws IllegalStateException if it is not what it was
   */
  Dataset<Row> apart(Dataset<Row> written) {
    Dataset<Row> history = written.filter(col(AggregateColumns.WINDOW_START).lt(lit(end)));
    long minutes = minutes();
    String expected =
        "%d rows, %d keys, total %d"
            .formatted(minutes * KEYS, minutes * KEYS, minutes * (minutes - 1) / 2 * KEYS);
    Row found =
        history
            .selectExpr("count(*)", "count(DISTINCT window_start, key)", "coalesce(sum(total), 0)")
            .head();
    String is = "%s rows, %s keys, total %s".formatted(found.get(0), found.get(1), found.get(2));
    if (!is.equals(expected)) {
      throw new IllegalStateException("history was " + expected + " and is now " + is);
    }
    return written.filter(col(AggregateColumns.WINDOW_START).geq(lit(end)));
  }
}
