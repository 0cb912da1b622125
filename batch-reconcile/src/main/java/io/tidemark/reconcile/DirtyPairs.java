package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.min;

import io.tidemark.merge.EvaluatedRows;
import io.tidemark.spec.ColumnName;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.Memberships;
import io.tidemark.tables.journal.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Settled pairs (window, key) that have events archived since the last settlement, evaluated once.
 * Closing releases the memory and disk that they take.
 */
final class DirtyPairs implements AutoCloseable {

  private static final String START = "_tidemark_pair_start";
  private static final String PARTITION = "_tidemark_pair_partition";

  private final PipelineSpec spec;
  private final Dataset<Row> pairs;
  private final NavigableMap<Instant, Extent> extents;

  /**
   * Of one partition.
   *
   * @param firstStart the earliest start of a dirty window
   */
  private record Extent(long pairs, Instant firstStart) {}

  private DirtyPairs(PipelineSpec spec, Dataset<Row> pairs, NavigableMap<Instant, Extent> extents) {
    this.spec = spec;
    this.pairs = pairs;
    this.extents = extents;
  }

  /**
   * Finds the pairs, as two Spark jobs.
   *
   * @param memberships of the events that were archived since, in settled windows
   */
  static DirtyPairs of(Dataset<Row> memberships, PipelineSpec spec) {
    List<Column> columns = new ArrayList<>();
    columns.add(col(Memberships.WINDOW_START).as(START));
    columns.add(
        AggregateColumns.partition(spec.partition(), col(Memberships.WINDOW_END))
            .cast("timestamp")
            .as(PARTITION));
    for (ColumnName key : AggregateColumns.keys(spec)) {
      columns.add(col(key.quoted()).as(pairKey(key)));
    }
    Dataset<Row> pairs =
        memberships.select(columns.toArray(Column[]::new)).distinct().localCheckpoint(true);
    NavigableMap<Instant, Extent> extents = new TreeMap<>();
    for (Row partition : pairs.groupBy(PARTITION).agg(count(lit(1)), min(START)).collectAsList()) {
      extents.put(
          Times.instant(partition.get(0)),
          new Extent(partition.getLong(1), Times.instant(partition.get(2))));
    }
    return new DirtyPairs(spec, pairs, extents);
  }

  /** How many pairs are dirty, by the start of the partition. */
  NavigableMap<Instant, Long> byPartition() {
    NavigableMap<Instant, Long> counts = new TreeMap<>();
    extents.forEach((partition, extent) -> counts.put(partition, extent.pairs()));
    return counts;
  }

  /** The earliest start of a dirty window of the partition. */
  Instant firstStart(Instant partition) {
    return Objects.requireNonNull(extents.get(partition)).firstStart();
  }

  /**
   * The rows whose window and key are one of the pairs.
   *
   * @param windowStart the column of {@code rows} that holds the window's start
   */
  Dataset<Row> only(Dataset<Row> rows, String windowStart) {
    Column same = rows.col(windowStart).equalTo(pairs.col(START));
    for (ColumnName key : AggregateColumns.keys(spec)) {
      same = same.and(rows.col(key.quoted()).eqNullSafe(pairs.col(pairKey(key))));
    }
    return rows.join(pairs, same, "left_semi");
  }

  private static String pairKey(ColumnName key) {
    return "_tidemark_pair_key_" + key;
  }

  @Override
  public void close() {
    EvaluatedRows.release(pairs);
  }
}
