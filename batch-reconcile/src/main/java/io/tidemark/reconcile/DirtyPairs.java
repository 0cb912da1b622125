package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.Memberships;
import io.tidemark.tables.journal.Times;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Pairs (window, key) that are to be recounted, and where their events and rows lie.
 *
 * @param pairs one row per pair
 * @param eventDays days (UTC) that the pairs' windows reach into
 * @param partitions starts of the aggregates' partitions that hold the pairs
 */
record DirtyPairs(
    PipelineSpec spec,
    Dataset<Row> pairs,
    NavigableSet<LocalDate> eventDays,
    NavigableSet<Instant> partitions) {

  private static final String START = "_tidemark_pair_start";
  private static final String END = "_tidemark_pair_end";

  static DirtyPairs of(Dataset<Row> memberships, PipelineSpec spec) {
    List<Column> columns = new ArrayList<>();
    columns.add(col(Memberships.WINDOW + ".start").as(START));
    columns.add(col(Memberships.WINDOW + ".end").as(END));
    for (ColumnName key : AggregateColumns.keys(spec)) {
      columns.add(col(key.quoted()).as(pairKey(key)));
    }
    Dataset<Row> pairs =
        memberships.select(columns.toArray(Column[]::new)).distinct().localCheckpoint(true);

    NavigableSet<LocalDate> eventDays = new TreeSet<>();
    NavigableSet<Instant> partitions = new TreeSet<>();
    for (Row window : pairs.select(START, END).distinct().collectAsList()) {
      Instant end = Times.instant(window.get(1));
      LocalDate lastDay = day(end.minusMillis(1));
      for (LocalDate day = day(Times.instant(window.get(0)));
          !day.isAfter(lastDay);
          day = day.plusDays(1)) {
        eventDays.add(day);
      }
      partitions.add(spec.partition().partitionOf(end));
    }
    return new DirtyPairs(spec, pairs, eventDays, partitions);
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

  private static LocalDate day(Instant instant) {
    return instant.atZone(ZoneOffset.UTC).toLocalDate();
  }
}
