package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.when;

import io.tidemark.reconcile.PipelineStatus.GenerationStatus;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.fingerprint.Fingerprint;
import io.tidemark.spec.time.SpecDuration;
import io.tidemark.tables.Backlog;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.VersionRange;
import io.tidemark.tables.journal.GenerationJournal;
import io.tidemark.tables.journal.GenerationRow;
import io.tidemark.tables.journal.GenerationState;
import io.tidemark.tables.journal.Generations;
import io.tidemark.tables.journal.ProgressJournal;
import io.tidemark.tables.journal.ProgressStep;
import io.tidemark.tables.journal.PublishedStep;
import io.tidemark.tables.journal.SourceGapJournal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The job {@code status}: how a pipeline stands, from its tables alone. Cost: small reads of the
 * journals, and of the aggregates only what is not final.
 */
public final class StatusJob {

  private final SparkSession spark;
  private final PipelineTables tables;
  private final TableFormat format;
  private final Clock clock;

  public StatusJob(SparkSession spark, PipelineTables tables, TableFormat format, Clock clock) {
    this.spark = spark;
    this.tables = tables;
    this.format = format;
    this.clock = clock;
  }

  /**
   * Reads the status.
   *
   * @throws SpecException if there is no such pipeline
   */
  public PipelineStatus run(String pipeline) {
    Generations generations = generations(pipeline);
    GenerationRow live = generations.live().orElseThrow();
    ProgressJournal progress = new ProgressJournal(spark, format, tables.progress(), clock);
    Optional<PublishedStep> published = progress.newestPublished();
    Optional<ProgressStep> step = published.map(PublishedStep::step);
    Optional<Instant> frontier = step.flatMap(ProgressStep::frontier);
    Optional<Instant> onTimeThrough =
        frontier.map(f -> f.plus(duration(live, "watermark.allowed-lateness")));
    LedgerSummary ledger = LedgerSummary.of(format.read(tables.settlements()));
    long read = step.map(ProgressStep::readThrough).orElse(ProgressStep.NOTHING_READ);
    long archiveVersion = format.version(tables.archive());
    Backlog backlog = format.backlog(tables.archive(), VersionRange.since(read, archiveVersion));
    return new PipelineStatus(
        pipeline,
        live.generation().name(),
        live.promotedAt().orElseThrow(),
        frontier,
        onTimeThrough,
        ledger.settledThrough(),
        KeptArchive.of(format, tables.archive()).from(),
        live.start().from(),
        backlog.rows(),
        backlog.oldestCommit().map(this::since).orElse(Duration.ZERO),
        published.map(newest -> since(newest.publishedAt())),
        rowsByStatus(
            frontier,
            onTimeThrough,
            ledger.settledThrough(),
            ledger.finalThrough(admissibleFor(live))),
        recordsByProblem(),
        ledger.last(),
        ledger.sums(),
        ledger.unexplained(),
        others(generations, read),
        new SourceGapJournal(spark, format, tables.sourceGaps(), clock).open());
  }

  /** The same tables, of the live generation. */
  public static PipelineTables live(SparkSession spark, TableFormat format, PipelineTables any) {
    return any.of(generations(spark, format, any, any.root()).live().orElseThrow().generation());
  }

  private Generations generations(String pipeline) {
    return generations(spark, format, tables, pipeline);
  }

  private static Generations generations(
      SparkSession spark, TableFormat format, PipelineTables tables, String pipeline) {
    if (!format.exists(tables.generations())) {
      throw new SpecException(
          "There is no pipeline "
              + pipeline
              + " in "
              + tables.root()
              + ". Create it with 'tidemark init', or mend --warehouse.");
    }
    Generations found = new GenerationJournal(spark, format, tables.generations()).read();
    if (found.live().isEmpty()) {
      throw new SpecException(
          "Pipeline " + pipeline + " was left half-made: run 'tidemark init' again.");
    }
    return found;
  }

  /** Those beside the live one that are not given up. */
  private List<GenerationStatus> others(Generations generations, long liveRead) {
    List<GenerationStatus> others = new ArrayList<>();
    for (GenerationRow row : generations.rows()) {
      if (row.state() == GenerationState.LIVE || row.state() == GenerationState.RETIRED) {
        continue;
      }
      Optional<ProgressStep> step = Optional.empty();
      if (row.state().isFed()) {
        step =
            new ProgressJournal(spark, format, tables.of(row.generation()).progress(), clock)
                .newest();
      }
      // Until its stream has begun, what it will skip is all that it has read.
      long read =
          step.filter(ProgressStep::isOfStream)
              .map(ProgressStep::readThrough)
              .orElse(row.start().firstVersion() - 1);
      others.add(
          new GenerationStatus(
              row.generation().name(),
              row.state().label(),
              step.flatMap(ProgressStep::frontier),
              format
                  .backlog(tables.archive(), VersionRange.since(read, Math.max(read, liveRead)))
                  .rows(),
              row.comparison().map(note -> note.differing())));
    }
    return others;
  }

  private static Duration admissibleFor(GenerationRow live) {
    return duration(live, "event.max-age").plus(duration(live, "event.max-future-skew"));
  }

  private static Duration duration(GenerationRow live, String part) {
    return new Fingerprint(live.definition().canonicalText())
        .part(part)
        .flatMap(SpecDuration::parse)
        .orElseThrow(
            () -> new IllegalStateException("generation " + live.generation() + " has no " + part));
  }

  private Duration since(Instant instant) {
    Duration passed = Duration.between(instant, clock.instant());
    return passed.isNegative() ? Duration.ZERO : passed;
  }

  private Map<String, Long> rowsByStatus(
      Optional<Instant> frontier,
      Optional<Instant> onTimeThrough,
      Optional<Instant> settledThrough,
      Optional<Instant> finalThrough) {
    Dataset<Row> aggregates = format.read(tables.aggregates());
    Dataset<Row> notFinal =
        finalThrough
            .map(through -> aggregates.filter(col(AggregateColumns.WINDOW_END).gt(lit(through))))
            .orElse(aggregates);
    Column status =
        when(endsThrough(settledThrough), "settled")
            .when(endsThrough(frontier), "closed")
            .when(endsThrough(onTimeThrough), "on-time")
            .otherwise("open");
    Map<String, Long> rows = counts(notFinal, status);
    long counted = rows.values().stream().mapToLong(Long::longValue).sum();
    rows.put("final", aggregates.count() - counted);
    return rows;
  }

  private static Column endsThrough(Optional<Instant> bound) {
    return bound
        .map(through -> col(AggregateColumns.WINDOW_END).leq(lit(through)))
        .orElse(lit(false));
  }

  /** Problem rows lie in a partition of their own, so no other is read. */
  private Map<String, Long> recordsByProblem() {
    return counts(
        format.read(tables.archive()).filter(col(ArchiveColumns.EVENT_DATE).isNull()),
        col(ArchiveColumns.PROBLEM));
  }

  private static Map<String, Long> counts(Dataset<Row> rows, Column group) {
    Map<String, Long> counts = new TreeMap<>();
    for (Row row : rows.groupBy(group.as("name")).agg(count(lit(1))).collectAsList()) {
      counts.put(row.getString(0), row.getLong(1));
    }
    return counts;
  }
}
