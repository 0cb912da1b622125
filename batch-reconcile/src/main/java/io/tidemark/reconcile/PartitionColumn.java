package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.tidemark.spec.time.PartitionUnit;
import io.tidemark.tables.journal.Times;
import java.time.Instant;
import java.util.Collection;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Conditions on the aggregates' partitions, as literals that Spark prunes by. */
record PartitionColumn(PartitionUnit unit) {

  /** The partitions that start then. */
  Column in(Collection<Instant> starts) {
    return in(column(), starts);
  }

  /** The same of a column that holds a partition under another name. */
  Column in(Column partition, Collection<Instant> starts) {
    return partition.isin(starts.stream().map(unit::columnValue).toArray());
  }

  /** From the partition on that holds windows ending right after an instant. */
  Column endsAfter(Instant instant) {
    return column().geq(lit(unit.columnValue(unit.partitionOf(instant.plusMillis(1)))));
  }

  /** Up to the partition that holds windows with this end. */
  Column endsThrough(Instant windowEnd) {
    return column().leq(lit(unit.columnValue(unit.partitionOf(windowEnd))));
  }

  /** Counts rows by the start of their partition, as one Spark job. */
  NavigableMap<Instant, Long> rows(Dataset<Row> aggregates) {
    NavigableMap<Instant, Long> numbers = new TreeMap<>();
    aggregates
        .groupBy(column().cast("timestamp"))
        .count()
        .collectAsList()
        .forEach(row -> numbers.put(Times.instant(row.get(0)), row.getLong(1)));
    return numbers;
  }

  private Column column() {
    return col(unit.columnName());
  }
}
