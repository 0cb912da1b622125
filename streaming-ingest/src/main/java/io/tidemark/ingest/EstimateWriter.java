package io.tidemark.ingest;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.tidemark.merge.AggregateMerge;
import io.tidemark.merge.ConflictRetry;
import io.tidemark.merge.EvaluatedRows;
import io.tidemark.merge.MergeScope;
import io.tidemark.merge.SettlementMarks;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.Upsert;
import io.tidemark.tables.journal.ProgressJournal;
import io.tidemark.tables.journal.ProgressStep;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a micro-batch changed: evaluates it once, merges it, then publishes the frontier.
 *
 * <p>In this order, a crash between any two steps is mended by the batch's replay: the merge is
 * skipped by its label, and the step of progress is written once by its own.
 */
final class EstimateWriter implements VoidFunction2<Dataset<Row>, Long> {

  private static final long serialVersionUID = 1L;

  /** Spark's local property that holds the id of the query whose batch is running. */
  private static final String QUERY_ID = "sql.streaming.queryId";

  private final transient PipelineSpec spec;
  private final transient TablePath aggregates;
  private final transient TableFormat format;
  private final transient SettlementMarks settlements;
  private final transient ProgressJournal progress;
  private final transient Checkpoint checkpoint;
  private final transient ConflictRetry retry;
  private final transient long firstVersion;
  private transient @Nullable ProgressStep published;

  EstimateWriter(
      PipelineSpec spec,
      TablePath aggregates,
      TableFormat format,
      SettlementMarks settlements,
      ProgressJournal progress,
      Checkpoint checkpoint,
      ConflictRetry retry,
      long firstVersion) {
    this.spec = spec;
    this.aggregates = aggregates;
    this.format = format;
    this.settlements = settlements;
    this.progress = progress;
    this.checkpoint = checkpoint;
    this.retry = retry;
    this.firstVersion = firstVersion;
  }

  @Override
  public void call(Dataset<Row> batch, Long batchId) {
    String query = batch.sparkSession().sparkContext().getLocalProperty(QUERY_ID);
    ProgressStep before = published == null ? openedEpoch(query) : published;
    try (EvaluatedRows rows = EvaluatedRows.of(batch, spec.partition())) {
      Optional<Instant> settledThrough = Optional.empty();
      BatchOffset offset = checkpoint.offset(batchId);
      Optional<MergeScope> scope = rows.scope();
      if (scope.isPresent()) {
        settledThrough =
            merge(
                rows,
                AggregateMerge.ofEstimates(spec, scope.get(), rows.size(), offset.watermark()),
                CommitLabel.ofOneWriter(query + "/estimates", batchId));
      }
      ProgressStep step =
          new ProgressStep(
              before.epoch(),
              query,
              batchId,
              offset.watermark(),
              OptionalLong.of(format.versionRead(offset.source())),
              settledThrough);
      if (step.movesOn(before)) {
        retry.run(() -> progress.append(step, rows.size()));
        published = step;
      } else {
        published = before;
      }
    }
  }

  /** The newest step, of an epoch that this checkpoint has opened. */
  private ProgressStep openedEpoch(String query) {
    Optional<ProgressStep> newest = progress.newest();
    if (newest.isPresent() && newest.get().checkpoint().equals(query)) {
      return newest.get();
    }
    long epoch = newest.map(ProgressStep::epoch).orElse(0L) + 1;
    ProgressStep opening = ProgressStep.opening(epoch, query, firstVersion);
    retry.run(() -> progress.append(opening, 0));
    return opening;
  }

  /** The settled boundary that the merge respected. */
  private Optional<Instant> merge(EvaluatedRows rows, Upsert estimates, CommitLabel label) {
    BoundaryInForce boundary = new BoundaryInForce();
    retry.run(
        () -> {
          boundary.settledThrough =
              settlements.newest().map(adopted -> adopted.mark().settledThrough());
          Dataset<Row> unsettled =
              boundary
                  .settledThrough
                  .map(end -> rows.rows().filter(col(AggregateColumns.WINDOW_END).gt(lit(end))))
                  .orElse(rows.rows());
          format.upsert(aggregates, estimates, AggregateMerge.estimates(unsettled), label);
        });
    return boundary.settledThrough;
  }

  /** Read anew at each attempt of a merge. */
  private static final class BoundaryInForce {
    private Optional<Instant> settledThrough = Optional.empty();
  }
}
