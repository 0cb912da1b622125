package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.abs;
import static org.apache.spark.sql.functions.col;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.tables.journal.Times;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * A row whose recount is not what the table shows.
 *
 * @param key the key columns as JSON
 * @param before the table's values as people see them, as JSON
 * @param after the recount's values as JSON
 */
public record RowDifference(
    String kind,
    Instant windowStart,
    Instant windowEnd,
    String key,
    Optional<String> before,
    Optional<String> after) {

  /**
   * The first few differences, by the size of the change in events.
   *
   * @param classified rows of {@link Classification}
   */
  static List<RowDifference> largest(Dataset<Row> classified, PipelineSpec spec, int most) {
    Column change =
        abs(
            Classification.events(Classification.AFTER)
                .minus(Classification.events(Classification.BEFORE)));
    return read(
        classified
            .filter(Classification.differs())
            .withColumn("_tidemark_change", change)
            .withColumn("_tidemark_key", AggregateColumns.keysAsJson(spec))
            .orderBy(
                col("_tidemark_change").desc(),
                col(AggregateColumns.WINDOW_START),
                col("_tidemark_key"))
            .limit(most)
            .select(
                col(Classification.KIND),
                col(AggregateColumns.WINDOW_START),
                col(AggregateColumns.WINDOW_END),
                col("_tidemark_key"),
                RowJson.ofSide(spec, Classification.BEFORE),
                RowJson.ofSide(spec, Classification.AFTER)));
  }

  /**
   * Reads them.
   *
   * @param rows of the record's components, in their order
   */
  public static List<RowDifference> read(Dataset<Row> rows) {
    return rows.collectAsList().stream()
        .map(
            row ->
                new RowDifference(
                    row.getString(0),
                    Times.instant(row.get(1)),
                    Times.instant(row.get(2)),
                    row.getString(3),
                    Optional.ofNullable(row.getString(4)),
                    Optional.ofNullable(row.getString(5))))
        .toList();
  }
}
