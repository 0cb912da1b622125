package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_distinct;
import static org.apache.spark.sql.functions.struct;

import io.tidemark.spec.PipelineSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Rows that have an event of which copies differ in what is measured: the stream counts the copy
 * that it sees first, the recount the one with the smallest source position.
 */
public final class UnlikeCopies {

  private UnlikeCopies() {}

  /**
   * Finds them: {@code window_start} and the keys, each row once.
   *
   * @param memberships rows of {@link Memberships#of}
   */
  public static Dataset<Row> of(Dataset<Row> memberships, PipelineSpec spec) {
    List<Column> row = new ArrayList<>();
    row.add(col(Memberships.WINDOW_START).as(AggregateColumns.WINDOW_START));
    AggregateColumns.keys(spec).forEach(key -> row.add(col(key.quoted())));
    Column[] inputs = Copies.columns(Memberships.inputs(spec));
    if (inputs.length == 0) {
      return memberships.limit(0).select(row.toArray(Column[]::new));
    }
    return memberships
        .groupBy(Copies.columns(Memberships.identity(spec)))
        .agg(count_distinct(struct(inputs)).as("values"))
        .filter(col("values").gt(1))
        .select(row.toArray(Column[]::new))
        .distinct();
  }
}
