package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.sum;

import io.tidemark.tables.journal.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * What the ledger says in all.
 *
 * @param frontier the one that the newest row has read
 * @param last the newest row, by column; empty where nothing is settled
 * @param sums over all rows
 * @param unexplained by settlement in force, events that its balance cannot explain; no zeros
 */
record LedgerSummary(
    Optional<Instant> settledThrough,
    Optional<Instant> frontier,
    Map<String, String> last,
    Map<String, Long> sums,
    SortedMap<Long, Long> unexplained) {

  private static final List<String> SUMMED =
      List.of(
          "archived",
          "rejected",
          "filtered",
          "considered",
          "memberships",
          "counted",
          "duplicates",
          "estimated",
          "left_out",
          "imported",
          "frozen");

  /**
   * Settled windows that end at or before it are final.
   *
   * @param admissibleFor how long after its end a window may still get an event
   */
  Optional<Instant> finalThrough(Duration admissibleFor) {
    return frontier
        .map(then -> then.minus(admissibleFor))
        .flatMap(then -> settledThrough.map(end -> end.isBefore(then) ? end : then));
  }

  static LedgerSummary of(Dataset<Row> ledger) {
    List<Row> newest = ledger.orderBy(col("settlement").desc()).limit(1).collectAsList();
    if (newest.isEmpty()) {
      return new LedgerSummary(
          Optional.empty(), Optional.empty(), Map.of(), Map.of(), new TreeMap<>());
    }
    Row row = newest.get(0);
    Map<String, String> last = new LinkedHashMap<>();
    for (String name : row.schema().fieldNames()) {
      Object value = row.getAs(name);
      if (value != null) {
        last.put(name, value instanceof java.sql.Timestamp t ? t.toInstant() + "" : value + "");
      }
    }
    List<Column> columns =
        SUMMED.stream().map(name -> sum(col(name)).as(name)).collect(Collectors.toList());
    Row sums =
        ledger
            .agg(columns.get(0), columns.subList(1, columns.size()).toArray(Column[]::new))
            .head();
    Map<String, Long> byName = new LinkedHashMap<>();
    SUMMED.forEach(name -> byName.put(name, sums.<Long>getAs(name)));
    return new LedgerSummary(
        Optional.ofNullable(row.getAs("settled_through")).map(Times::instant),
        Optional.ofNullable(row.getAs("frontier")).map(Times::instant),
        last,
        byName,
        unexplained(ledger));
  }

  private static SortedMap<Long, Long> unexplained(Dataset<Row> ledger) {
    SortedMap<Long, Long> found = new TreeMap<>();
    Ledger.inForce(ledger)
        .filter(Ledger.residual().notEqual(0))
        .select(col("settlement"), Ledger.residual())
        .collectAsList()
        .forEach(row -> found.put(row.getLong(0), row.getLong(1)));
    return found;
  }
}
