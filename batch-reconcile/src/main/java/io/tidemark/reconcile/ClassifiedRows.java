package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;

import io.tidemark.merge.EvaluatedRows;
import io.tidemark.merge.MergeScope;
import io.tidemark.reconcile.SettlePlan.Step;
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

/** The classified rows of a plan's steps, evaluated once, with their counts from the same pass. */
final class ClassifiedRows implements AutoCloseable {

  /** Whether the row is settled for the first time; else it is settled and was recounted. */
  static final String NEWLY_SETTLED = "newly_settled";

  private static final List<String> COUNTS =
      List.of(
          "agreed",
          "corrected",
          "missing",
          "phantom",
          "memberships",
          "counted",
          "duplicates",
          "estimated",
          "left_out");

  private final EvaluatedRows evaluated;

  private ClassifiedRows(EvaluatedRows evaluated) {
    this.evaluated = evaluated;
  }

  static ClassifiedRows of(SettlePlan plan, Recount recount, PipelineSpec spec) {
    Dataset<Row> rows = null;
    for (Step step : plan.steps()) {
      Dataset<Row> classified =
          recount
              .classified(step)
              .withColumn(NEWLY_SETTLED, lit(step instanceof Step.ClosedWindows));
      rows = rows == null ? classified : rows.unionByName(classified);
    }
    if (rows == null) {
      throw new IllegalStateException("a plan without a step");
    }
    return new ClassifiedRows(EvaluatedRows.of(rows, spec.partition(), counts()));
  }

  private static Column[] counts() {
    List<Column> counts = new ArrayList<>();
    for (RowKind kind : RowKind.values()) {
      String name = kind == RowKind.AGREE ? "agreed" : kind.label();
      counts.add(count(when(col(Classification.KIND).equalTo(kind.label()), lit(1))).as(name));
    }
    Column counted = events(Classification.AFTER);
    counts.add(newlySettled(col(Aggregation.MEMBERSHIPS)).as("memberships"));
    counts.add(newlySettled(counted).as("counted"));
    counts.add(newlySettled(col(Aggregation.MEMBERSHIPS).minus(counted)).as("duplicates"));
    counts.add(newlySettled(events(Classification.BEFORE)).as("estimated"));
    counts.add(newlySettled(col(Aggregation.LEFT_OUT)).as("left_out"));
    return counts.toArray(Column[]::new);
  }

  private static Column events(String side) {
    return coalesce(col(side + "." + AggregateColumns.EVENT_COUNT), lit(0L));
  }

  private static Column newlySettled(Column number) {
    return sum(when(col(NEWLY_SETTLED), number));
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
