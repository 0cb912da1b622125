package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.when;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.Aggregation;
import io.tidemark.spec.computation.StoredColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Compares recounted rows with the table's, both ways. The result has one row per (window, key) of
 * either side: {@code window_start, window_end}, the keys, the partition, {@link #KIND}, {@link
 * #BEFORE} (measures and version; null where the table has no row), {@link #AFTER} (measures; null
 * where the recount has none), and the recount's {@link Aggregation#BALANCE}.
 */
public final class Classification {

  /** A {@link RowKind}'s label. */
  public static final String KIND = "kind";

  public static final String BEFORE = "before";
  public static final String AFTER = "after";

  private Classification() {}

  /**
   * Compares.
   *
   * @param recounted rows of {@link Aggregation#ofMemberships}
   * @param current rows of the aggregates, of the same windows and keys
   */
  public static Dataset<Row> of(Dataset<Row> recounted, Dataset<Row> current, PipelineSpec spec) {
    String partition = spec.partition().columnName();
    List<Column> identity = identity(spec, partition);
    Dataset<Row> exact =
        recounted.select(
            with(
                identity,
                Stream.concat(
                        Stream.of(struct(measures(spec).toArray(Column[]::new)).as(AFTER)),
                        Aggregation.BALANCE.stream().map(name -> col(name)))
                    .toArray(Column[]::new)));
    Column[] tableValues =
        Stream.concat(measures(spec).stream(), Stream.of(col(AggregateColumns.VERSION)))
            .toArray(Column[]::new);
    Dataset<Row> table = current.select(with(identity, struct(tableValues).as(BEFORE)));

    Column inRecount = exact.col(AFTER).isNotNull();
    List<Column> columns = new ArrayList<>();
    for (String name : identityNames(spec, partition)) {
      String quoted = "`" + name + "`";
      columns.add(when(inRecount, exact.col(quoted)).otherwise(table.col(quoted)).as(name));
    }
    columns.add(exact.col(AFTER).as(AFTER));
    columns.add(table.col(BEFORE).as(BEFORE));
    for (String name : Aggregation.BALANCE) {
      columns.add(coalesce(col(name), lit(0L)).as(name));
    }
    return exact
        .join(table, SameRow.of(exact, table, spec), "full_outer")
        .select(columns.toArray(Column[]::new))
        .withColumn(KIND, kind(spec));
  }

  /** Whether a row of the result is not the same on both sides. */
  static Column differs() {
    return col(KIND).notEqual(RowKind.AGREE.label());
  }

  /** The events of a side of the result; 0 where it has no row. */
  static Column events(String side) {
    return coalesce(col(side + "." + AggregateColumns.EVENT_COUNT), lit(0L));
  }

  private static Column kind(PipelineSpec spec) {
    Column agree =
        AggregateColumns.measures(spec).stream()
            .map(Classification::equal)
            .reduce(lit(true), Column::and);
    return when(col(BEFORE).isNull(), lit(RowKind.MISSING.label()))
        .when(col(AFTER).isNull(), lit(RowKind.PHANTOM.label()))
        .when(agree, lit(RowKind.AGREE.label()))
        .otherwise(lit(RowKind.CORRECTED.label()));
  }

  private static Column equal(StoredColumn column) {
    Column before = col(BEFORE).getField(column.name().value());
    Column after = col(AFTER).getField(column.name().value());
    return switch (column.comparison()) {
      case EXACT -> before.eqNullSafe(after);
      case FLOATING -> StoredColumn.closeTo(before, after);
    };
  }

  private static List<Column> measures(PipelineSpec spec) {
    return AggregateColumns.measures(spec).stream()
        .map(column -> col(column.name().quoted()))
        .toList();
  }

  private static List<Column> identity(PipelineSpec spec, String partition) {
    return identityNames(spec, partition).stream().map(name -> col("`" + name + "`")).toList();
  }

  private static List<String> identityNames(PipelineSpec spec, String partition) {
    return Stream.of(
            AggregateColumns.identity(spec).stream().map(ColumnName::value), Stream.of(partition))
        .flatMap(name -> name)
        .toList();
  }

  private static Column[] with(List<Column> identity, Column... more) {
    return Stream.concat(identity.stream(), Stream.of(more)).toArray(Column[]::new);
  }
}
