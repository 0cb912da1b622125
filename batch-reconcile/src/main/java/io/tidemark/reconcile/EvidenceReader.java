package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.abs;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;

import io.tidemark.merge.MergeScope;
import io.tidemark.merge.SettlementMark;
import io.tidemark.reconcile.AuditEvidence.PartitionRows;
import io.tidemark.reconcile.AuditEvidence.Records;
import io.tidemark.reconcile.AuditEvidence.Rows;
import io.tidemark.reconcile.AuditEvidence.Total;
import io.tidemark.spec.Measure;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.MeasureColumns;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Reads what an {@link Audit} judges by. Cost: two passes over the classified rows, which are
 * evaluated, and reads of the touched partitions and of those of a week before the newly settled.
 */
final class EvidenceReader {

  /** How many days back a partition is compared with: a week, so that each weekday is in it. */
  private static final int EARLIER_DAYS = 7;

  private final PipelineSpec spec;
  private final SettlePlan plan;
  private final Optional<SettlementMark> last;
  private final Dataset<Row> aggregates;
  private final PartitionColumn partition;

  /**
   * @param last the newest settlement before the plan's
   * @param aggregates at the version that the classified rows were compared with
   */
  EvidenceReader(
      PipelineSpec spec, SettlePlan plan, Optional<SettlementMark> last, Dataset<Row> aggregates) {
    this.spec = spec;
    this.plan = plan;
    this.last = last;
    this.aggregates = aggregates;
    this.partition = new PartitionColumn(spec.partition());
  }

  /**
   * Reads.
   *
   * @param counts as the ledger names them
   */
  AuditEvidence read(ClassifiedRows classified, Map<String, Long> counts) {
    List<String> measures = measures();
    Row changes = changes(classified.rows(), measures);
    Row shown = shown(partitions(classified), measures);
    List<Total> totals = new ArrayList<>();
    for (int i = 0; i < measures.size(); i++) {
      double missing = changes.getDouble(2 * i + 1);
      totals.add(
          new Total(measures.get(i), shown.getDouble(i + 1) + missing, changes.getDouble(2 * i)));
    }
    return new AuditEvidence(
        new Rows(
            shown.getLong(0),
            counts.getOrDefault("corrected", 0L),
            counts.getOrDefault("missing", 0L),
            counts.getOrDefault("phantom", 0L)),
        totals,
        last.map(mark -> newlySettled(classified.rows(), mark.settledThrough())).orElse(List.of()),
        new Records(counts.getOrDefault("archived", 0L), counts.getOrDefault("rejected", 0L)));
  }

  /** The stored columns that add up: a smallest or an average value has no total. */
  private List<String> measures() {
    return Stream.concat(
            Stream.of(AggregateColumns.EVENT_COUNT),
            spec.measures().stream()
                .filter(
                    measure ->
                        measure instanceof Measure.Count
                            || measure instanceof Measure.Sum
                            || measure instanceof Measure.Avg)
                .flatMap(measure -> MeasureColumns.stored(measure).stream())
                .map(column -> column.name().value()))
        .toList();
  }

  private static Set<Instant> partitions(ClassifiedRows classified) {
    return classified.scope().map(MergeScope::partitions).orElse(new TreeSet<>());
  }

  /** By measure: how much the rows that were there change, and the size of those that were not. */
  private static Row changes(Dataset<Row> classified, List<String> measures) {
    Column missing = col(Classification.KIND).equalTo(RowKind.MISSING.label());
    List<Column> sums = new ArrayList<>();
    for (String measure : measures) {
      Column before = number(col(Classification.BEFORE).getField(measure));
      Column after = number(col(Classification.AFTER).getField(measure));
      sums.add(total(when(missing, lit(0.0)).otherwise(after.minus(before))));
      sums.add(total(when(missing, abs(after)).otherwise(lit(0.0))));
    }
    return aggregated(classified, sums);
  }

  /**
   * The table's rows in these partitions that are settled afterwards, and their measures' sizes.
   */
  private Row shown(Set<Instant> partitions, List<String> measures) {
    List<Column> sums = new ArrayList<>();
    sums.add(count(lit(1)));
    measures.forEach(measure -> sums.add(total(abs(number(col("`" + measure + "`"))))));
    return aggregated(settledThrough(plan.settledThrough()).filter(partition.in(partitions)), sums);
  }

  private List<PartitionRows> newlySettled(Dataset<Row> classified, Instant settledBefore) {
    NavigableMap<Instant, Long> recounted =
        partition.rows(
            classified.filter(
                col(ClassifiedRows.NEWLY_SETTLED).and(col(Classification.AFTER).isNotNull())));
    recounted.keySet().removeIf(start -> !isOver(start));
    Set<Instant> compared = new TreeSet<>();
    recounted.keySet().forEach(start -> compared.addAll(sameOnEarlierDays(start)));
    Map<Instant, Long> earlier =
        partition.rows(settledThrough(settledBefore).filter(partition.in(compared)));
    return recounted.entrySet().stream()
        .map(
            counted ->
                new PartitionRows(
                    counted.getKey(),
                    counted.getValue(),
                    sameOnEarlierDays(counted.getKey()).stream()
                        .flatMap(day -> Stream.ofNullable(earlier.get(day)))
                        .toList()))
        .toList();
  }

  /** Whether the stream has passed it; a close may settle a day of which only a part is there. */
  private boolean isOver(Instant start) {
    Instant end = start.plus(spec.partition().length());
    return plan.frontier().filter(frontier -> !frontier.isBefore(end)).isPresent();
  }

  private static List<Instant> sameOnEarlierDays(Instant start) {
    return IntStream.rangeClosed(1, EARLIER_DAYS)
        .mapToObj(days -> start.minus(Duration.ofDays(days)))
        .toList();
  }

  private Dataset<Row> settledThrough(Instant boundary) {
    return aggregates.filter(col(AggregateColumns.WINDOW_END).leq(lit(boundary)));
  }

  private static Column number(Column measure) {
    return coalesce(measure.cast("double"), lit(0.0));
  }

  private static Column total(Column numbers) {
    return coalesce(sum(numbers), lit(0.0));
  }

  private static Row aggregated(Dataset<Row> rows, List<Column> columns) {
    return rows.agg(columns.get(0), columns.subList(1, columns.size()).toArray(Column[]::new))
        .head();
  }
}
