package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.when;

import io.tidemark.merge.AggregateMerge;
import io.tidemark.merge.AuditResult;
import io.tidemark.merge.EvaluatedRows;
import io.tidemark.merge.SettlementMark;
import io.tidemark.merge.SettlementMark.Undone;
import io.tidemark.merge.SettlementMarks;
import io.tidemark.merge.SettlementMarks.Adopted;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.StoredColumn;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The job {@code unsettle}: takes back the settlement in force, by one MERGE. A corrected row gets
 * what it was before, a missing one is deleted, a phantom is inserted again, and the others become
 * estimates; the same commit puts the settled boundary and the recounted archive version back to
 * those of the settlement below. Run again, it takes back that one.
 *
 * <p>Never by the table's own restore, which forgets none of the stream's labels: batches that the
 * stream has to repeat would be skipped in silence.
 */
public final class UnsettleJob {

  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final SettlementCommits commits;
  private final Supplier<String> attempts;

  /**
   * @param attempts names each attempt, unlike any before
   */
  public UnsettleJob(
      SparkSession spark,
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      Clock clock,
      Supplier<String> attempts) {
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.commits = SettlementCommits.of(spark, tables, format, clock);
    this.attempts = attempts;
  }

  /**
   * What was undone.
   *
   * @param mark what the commit says
   * @param below the settlement that is in force again; empty: none
   * @param rows how many rows were put back
   */
  public record Undoing(SettlementMark mark, Optional<SettlementMark> below, long rows) {}

  /**
   * Undoes the settlement in force; empty where none is.
   *
   * @param reason for the commit and the ledger
   * @throws SpecException if it is the batch part of a rebuild
   * @throws UnsafeEnvironmentException if it reaches into frozen windows, or its commit is no
   *     longer in the table's log
   * @throws ConflictException if another settlement was adopted or undone meanwhile
   */
  public Optional<Undoing> run(String reason) {
    return commits
        .newestInLedger()
        .map(Adopted::mark)
        .filter(SettlementMark::settlesAnything)
        .map(mark -> undo(mark, reason));
  }

  private Undoing undo(SettlementMark newest, String reason) {
    SettlementMarks history = new SettlementMarks(format, tables.aggregates());
    Adopted undone = history.of(newest.inForce());
    Optional<SettlementMark> below = history.below(undone);
    if (undone.mark().isBuilt()) {
      throw new SpecException(
          "Cannot undo settlement %d of %s: it is the batch part of generation %s. To give the whole generation up, use 'tidemark retire'."
              .formatted(undone.mark().settlement(), spec.name(), tables.generation()));
    }
    requireKept(undone.mark(), below);
    SettlementMark mark = mark(newest, undone.mark(), below, reason);
    try (EvaluatedRows rows =
        EvaluatedRows.of(rowsBefore(undone.mark(), below), spec.partition())) {
      Optional<Adopted> committed =
          commits.commit(
              mark,
              rows.scope()
                  .map(
                      scope ->
                          label ->
                              format.merge(
                                  tables.aggregates(),
                                  AggregateMerge.ofUndoing(spec, scope, undone.mark().settlement()),
                                  rows.rows(),
                                  label)));
      if (committed.isEmpty()) {
        throw lost(undone.mark());
      }
      return new Undoing(mark, below, rows.size());
    }
  }

  /** What is put back must be settled again some day, from the archive. */
  private void requireKept(SettlementMark undone, Optional<SettlementMark> below) {
    KeptArchive kept = KeptArchive.of(format, tables);
    if (kept.from().isPresent()
        && kept.freezes(
            SettlementReach.firstWindow(undone, below, format.read(tables.corrections()), spec))) {
      throw new UnsafeEnvironmentException(
          "Cannot undo settlement %d of %s: it settled or corrected windows that start before %s, and %s, so they could never be settled again. Nothing was changed."
              .formatted(undone.settlement(), spec.name(), kept.from().get(), kept.inWords()));
    }
  }

  private SettlementMark mark(
      SettlementMark newest, SettlementMark undone, Optional<SettlementMark> below, String reason) {
    Map<String, Long> taken = new HashMap<>();
    undone.counts().forEach((name, count) -> taken.put(name, -count));
    return new SettlementMark(
        newest.settlement() + 1,
        attempts.get(),
        below.map(SettlementMark::archiveVersion).orElse(SettlementMark.NOTHING_RECOUNTED),
        below.flatMap(SettlementMark::frontier),
        below.map(SettlementMark::settledThrough).orElse(SettlementMark.NOTHING_SETTLED),
        Optional.of(reason),
        taken,
        Optional.of(new Undone(undone.settlement(), below.map(SettlementMark::inForce).orElse(0L))),
        AuditResult.CLEAN);
  }

  /** The rows of the settlement's version as they were, and those that it deleted. */
  private Dataset<Row> rowsBefore(SettlementMark undone, Optional<SettlementMark> below) {
    Dataset<Row> corrections = SettlementReach.of(undone, format.read(tables.corrections()));
    Instant after =
        below.map(SettlementMark::settledThrough).orElse(SettlementMark.NOTHING_SETTLED);
    PartitionColumn partition = new PartitionColumn(spec.partition());
    Dataset<Row> newlySettled =
        format
            .read(tables.aggregates())
            .filter(col(AggregateColumns.VERSION).equalTo(undone.settlement()))
            .filter(col(AggregateColumns.WINDOW_END).gt(lit(after)))
            .filter(partition.endsAfter(after))
            .filter(partition.endsThrough(undone.settledThrough()));
    Dataset<Row> agreed =
        newlySettled
            .join(corrections, SameRow.of(newlySettled, corrections, spec), "left_anti")
            .withColumn(AggregateColumns.VERSION, lit(0L))
            .withColumn(AggregateMerge.CHANGE, lit(RowKind.AGREE.label()));
    return before(corrections).unionByName(agreed.select(columns()));
  }

  private Column[] columns() {
    List<String> names = new ArrayList<>();
    AggregateColumns.identity(spec).forEach(name -> names.add(name.value()));
    AggregateColumns.measures(spec).forEach(column -> names.add(column.name().value()));
    names.add(AggregateColumns.VERSION);
    names.add(spec.partition().columnName());
    names.add(AggregateMerge.CHANGE);
    return names.stream().map(name -> col("`" + name + "`")).toArray(Column[]::new);
  }

  /** What it inserted is now the phantom, and what it deleted is missing. */
  private Dataset<Row> before(Dataset<Row> corrections) {
    Dataset<Row> rows = corrections;
    for (StoredColumn measure : AggregateColumns.measures(spec)) {
      String name = measure.name().value();
      rows = rows.withColumn(name, col(Classification.BEFORE).getField(name));
    }
    Column kind = col(Classification.KIND);
    return rows.withColumn(
            AggregateColumns.VERSION,
            coalesce(col(Classification.BEFORE).getField(AggregateColumns.VERSION), lit(0L)))
        .withColumn(
            spec.partition().columnName(),
            AggregateColumns.partition(spec.partition(), col(AggregateColumns.WINDOW_END)))
        .withColumn(
            AggregateMerge.CHANGE,
            when(kind.equalTo(RowKind.MISSING.label()), lit(AggregateMerge.PHANTOM))
                .when(kind.equalTo(RowKind.PHANTOM.label()), lit(RowKind.MISSING.label()))
                .otherwise(kind))
        .select(columns());
  }

  private ConflictException lost(SettlementMark undone) {
    return new ConflictException(
        "Cannot undo settlement "
            + undone.settlement()
            + " of "
            + spec.name()
            + ": another settlement was adopted or undone first. Nothing was changed; look at"
            + " 'tidemark status' before you run it again.");
  }
}
