package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.date_trunc;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_date;
import static org.apache.spark.sql.functions.to_json;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.Key;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.time.PartitionUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The names of the aggregates' columns that every pipeline has, and lists over all of them. */
public final class AggregateColumns {

  public static final String WINDOW_START = "window_start";
  public static final String WINDOW_END = "window_end";

  /** Number of events counted in the row, copies aside. */
  public static final String EVENT_COUNT = "event_count";

  /** 0: an estimate of the stream; n: adopted by settlement n. */
  public static final String VERSION = "version";

  private AggregateColumns() {}

  public static DataType partitionType(PartitionUnit unit) {
    return unit == PartitionUnit.DAY ? DataTypes.DateType : DataTypes.TimestampType;
  }

  /** The partition that holds windows with this end, as its column has it. */
  public static Column partition(PartitionUnit unit, Column windowEnd) {
    Column last = windowEnd.minus(expr("INTERVAL '0.000001' SECOND"));
    return switch (unit) {
      case DAY -> to_date(last);
      case HOUR -> date_trunc("HOUR", last);
    };
  }

  public static List<ColumnName> keys(PipelineSpec spec) {
    return spec.keys().stream().map(Key::name).toList();
  }

  /** Window and keys: what tells a row from the others. */
  public static List<ColumnName> identity(PipelineSpec spec) {
    List<ColumnName> columns = new ArrayList<>();
    columns.add(new ColumnName(WINDOW_START));
    columns.add(new ColumnName(WINDOW_END));
    columns.addAll(keys(spec));
    return List.copyOf(columns);
  }

  /** A row's key columns as a JSON object, nulls included. */
  public static Column keysAsJson(PipelineSpec spec) {
    Column[] keys =
        keys(spec).stream().map(ColumnName::quoted).map(name -> col(name)).toArray(Column[]::new);
    return keys.length == 0
        ? lit("{}")
        : to_json(struct(keys), Map.of("ignoreNullFields", "false"));
  }

  /** All measures' columns and {@code event_count}: what a settlement compares. */
  public static List<StoredColumn> measures(PipelineSpec spec) {
    List<StoredColumn> columns =
        new ArrayList<>(
            spec.measures().stream().flatMap(m -> MeasureColumns.stored(m).stream()).toList());
    columns.add(
        new StoredColumn(
            new ColumnName(EVENT_COUNT),
            DataTypes.LongType,
            StoredColumn.Comparison.EXACT,
            "Number of events counted in this row, copies aside"));
    return List.copyOf(columns);
  }
}
