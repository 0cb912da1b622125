package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;

import io.tidemark.merge.EvaluatedRows;
import io.tidemark.merge.MergeScope;
import io.tidemark.merge.SettlementMark;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.Aggregation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The classified rows of a plan's steps, evaluated once, with their counts from the same pass. The
 * counts of events are what the settlement adds to the ledger's sums: of a window that was settled
 * before, only what has come since.
 */
final class ClassifiedRows implements AutoCloseable {

  /** Whether the row is settled for the first time; else it is settled and was recounted. */
  static final String NEWLY_SETTLED = "newly_settled";

  private static final List<String> COUNTS =
      List.of(
          "agreed",
          "corrected",
          "missing",
          "phantom",
          "final_changed",
          "memberships",
          "counted",
          "duplicates",
          "estimated",
          "left_out",
          "imported");

  private final EvaluatedRows evaluated;

  private ClassifiedRows(EvaluatedRows evaluated) {
    this.evaluated = evaluated;
  }

  /**
   * Evaluates, as one Spark job.
   *
   * @param classified rows of {@link Classification}
   * @param last the newest settlement: windows that end after its boundary are newly settled
   */
  static ClassifiedRows of(
      Dataset<Row> classified, Optional<SettlementMark> last, PipelineSpec spec) {
    Column newlySettled =
        last.map(mark -> col(AggregateColumns.WINDOW_END).gt(lit(mark.settledThrough())))
            .orElse(lit(true));
    return new ClassifiedRows(
        EvaluatedRows.of(
            classified.withColumn(NEWLY_SETTLED, newlySettled),
            spec.partition(),
            counts(wasFinal(last, spec))));
  }

  /**
   * Whether nothing admissible was left for the row; what came all the same came with old times.
   */
  private static Column wasFinal(Optional<SettlementMark> last, PipelineSpec spec) {
    return last.flatMap(SettlementMark::frontier)
        .map(frontier -> frontier.minus(spec.event().admissibleFor()))
        .map(
            through ->
                not(col(NEWLY_SETTLED)).and(col(AggregateColumns.WINDOW_END).leq(lit(through))))
        .orElse(lit(false));
  }

  private static Column[] counts(Column wasFinal) {
    List<Column> counts = new ArrayList<>();
    for (RowKind kind : RowKind.values()) {
      String name = kind == RowKind.AGREE ? "agreed" : kind.label();
      counts.add(count(when(col(Classification.KIND).equalTo(kind.label()), lit(1))).as(name));
    }
    counts.add(count(when(wasFinal.and(Classification.differs()), lit(1))).as("final_changed"));
    Column before = Classification.events(Classification.BEFORE);
    Column countedBefore = when(col(NEWLY_SETTLED), lit(0L)).otherwise(before);
    counts.add(sum(col(Aggregation.MEMBERSHIPS)).as("memberships"));
    counts.add(sum(Classification.events(Classification.AFTER).minus(countedBefore)).as("counted"));
    counts.add(sum(col(Aggregation.DUPLICATES)).as("duplicates"));
    counts.add(sum(when(col(NEWLY_SETTLED), before)).as("estimated"));
    counts.add(sum(col(Aggregation.LEFT_OUT)).as("left_out"));
    counts.add(sum(col(Aggregation.IMPORTED)).as("imported"));
    return counts.toArray(Column[]::new);
  }

  /** What a MERGE of these rows touches; empty where there is no row. */
  Optional<MergeScope> scope() {
    return evaluated.scope();
  }

  Dataset<Row> rows() {
    return evaluated.rows();
  }

  Map<String, Long> countsByName() {
    Map<String, Long> counts = new TreeMap<>();
    COUNTS.forEach(name -> counts.put(name, evaluated.number(name)));
    return counts;
  }

  long differences() {
    return evaluated.number("corrected")
        + evaluated.number("missing")
        + evaluated.number("phantom");
  }

  @Override
  public void close() {
    evaluated.close();
  }
}
