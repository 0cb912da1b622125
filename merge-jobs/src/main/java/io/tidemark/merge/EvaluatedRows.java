package io.tidemark.merge;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;

import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.time.PartitionUnit;
import io.tidemark.tables.ObservedMetrics;
import java.time.Instant;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.LogicalRDD;
import org.apache.spark.storage.StorageLevel;

/**
 * Rows of the aggregates, evaluated once: a MERGE reads its source several times, and each
 * evaluation of a micro-batch would go through the stream's state again. Their number and bounds
 * are observed in the same pass. Closing releases the memory and disk that they take.
 */
public final class EvaluatedRows implements AutoCloseable {

  private static final String COUNT = "rows";
  private static final String FIRST_START = "first_start";
  private static final String LAST_START = "last_start";
  private static final String FIRST_END = "first_end";
  private static final String LAST_END = "last_end";

  private final Dataset<Row> rows;
  private final ObservedMetrics observed;
  private final PartitionUnit unit;

  private EvaluatedRows(Dataset<Row> rows, ObservedMetrics observed, PartitionUnit unit) {
    this.rows = rows;
    this.observed = observed;
    this.unit = unit;
  }

  /**
   * Evaluates the rows, as one Spark job.
   *
   * @param rows with {@code window_start}, {@code window_end} and the partition
   * @param more aggregates to observe besides, each with a name
   */
  public static EvaluatedRows of(Dataset<Row> rows, PartitionUnit unit, Column... more) {
    Observation observation = new Observation();
    Column[] observed =
        Stream.concat(
                Stream.of(
                    min(col(AggregateColumns.WINDOW_START)).as(FIRST_START),
                    max(col(AggregateColumns.WINDOW_START)).as(LAST_START),
                    min(col(AggregateColumns.WINDOW_END)).as(FIRST_END),
                    max(col(AggregateColumns.WINDOW_END)).as(LAST_END)),
                Stream.of(more))
            .toArray(Column[]::new);
    Dataset<Row> evaluated =
        rows.observe(observation, count(lit(1)).as(COUNT), observed)
            .localCheckpoint(true, StorageLevel.MEMORY_AND_DISK());
    return new EvaluatedRows(evaluated, ObservedMetrics.await(observation, "evaluated"), unit);
  }

  public Dataset<Row> rows() {
    return rows;
  }

  public long size() {
    return number(COUNT);
  }

  /** An observed number; 0 where there was no row. */
  public long number(String name) {
    return observed.number(name);
  }

  /** What a MERGE of these rows touches; empty where there is no row. */
  public Optional<MergeScope> scope() {
    if (size() == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new MergeScope(unit, partitions(), instant(FIRST_START), instant(LAST_START)));
  }

  private NavigableSet<Instant> partitions() {
    Instant first = unit.partitionOf(instant(FIRST_END));
    Instant last = unit.partitionOf(instant(LAST_END));
    NavigableSet<Instant> partitions = new TreeSet<>();
    partitions.add(first);
    partitions.add(last);
    if (first.plus(unit.length()).isBefore(last)) {
      rows.select(col(unit.columnName()).cast("timestamp")).distinct().collectAsList().stream()
          .map(row -> toInstant(row.get(0)))
          .forEach(partitions::add);
    }
    return partitions;
  }

  private Instant instant(String name) {
    Object value = observed.value(name);
    if (value == null) {
      throw new IllegalStateException("no row was observed: " + name);
    }
    return toInstant(value);
  }

  /** A timestamp's Java value, whichever of the two Java time libraries the session uses. */
  private static Instant toInstant(Object value) {
    return value instanceof java.sql.Timestamp timestamp ? timestamp.toInstant() : (Instant) value;
  }

  @Override
  public void close() {
    release(rows);
  }

  /** Releases rows that were checkpointed locally. */
  public static void release(Dataset<Row> rows) {
    if (rows.queryExecution().logical() instanceof LogicalRDD checkpointed) {
      checkpointed.rdd().unpersist(false);
    }
  }
}
