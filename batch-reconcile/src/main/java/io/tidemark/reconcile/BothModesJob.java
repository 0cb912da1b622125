package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.tidemark.reconcile.SettlePlan.Step;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.computation.ArchiveRows;
import io.tidemark.spec.computation.Memberships;
import io.tidemark.spec.computation.StreamBounds;
import io.tidemark.spec.computation.UnlikeCopies;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.JournalDefinitions;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableDefinitions;
import io.tidemark.tables.TableFormat;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The job {@code verify --both-modes}: proves on a day of real events that the streaming code and
 * the recount give the same rows. The day's events are copied, in the order in which they were
 * archived, to an archive of their own; a stream that closes no window aggregates it, in two runs
 * on one checkpoint; its rows are compared with a recount of the real archive. What was imported
 * past the stream is in neither. Changes none of the pipeline's tables. Cost: the day's events,
 * written once, streamed and recounted.
 *
 * <p>Of copies with unlike values the stream may count another one than the recount: rows with such
 * copies are told apart from those that differ without a reason.
 */
public final class BothModesJob {

  /**
   * Two: an event's copies and a row's events come in different ones, and state is carried over.
   */
  private static final int RUNS = 2;

  private static final int SHOWN_DIFFERENCES = 20;

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;

  public BothModesJob(
      SparkSession spark, PipelineSpec spec, PipelineTables tables, TableFormat format) {
    this.spark = spark;
    this.spec = spec;
    this.tables = tables;
    this.format = format;
  }

  /**
   * What a comparison found.
   *
   * @param archiveVersion the version that both read
   * @param runs of the stream; 0: the day has no event
   * @param agreed rows that are the same in both modes
   * @param unlikeCopies rows that differ, and have copies with unlike values
   * @param differing rows that differ without this reason
   * @param differences some of these, the largest changes of event counts first; before: the
   *     stream's, after: the recount's
   */
  public record Comparison(
      LocalDate day,
      long archiveVersion,
      int runs,
      long agreed,
      long unlikeCopies,
      long differing,
      List<RowDifference> differences) {

    public Comparison {
      differences = List.copyOf(differences);
    }
  }

  /**
   * Compares the windows that lie in the day's partitions.
   *
   * @param scratch where tables may be made; the caller removes them
   * @param stream runs {@code aggregate --available-now} by this spec on these tables, several
   *     times
   * @throws SpecException if the day is before 1970, where a stream's watermark starts, or some of
   *     its windows are frozen
   */
  public Comparison run(
      LocalDate day, PipelineTables scratch, BiConsumer<PipelineSpec, PipelineTables> stream) {
    if (day.isBefore(LocalDate.EPOCH)) {
      throw new SpecException("Cannot stream " + day + ": a stream counts no window before 1970.");
    }
    long version = format.version(tables.archive());
    KeptArchive kept = KeptArchive.of(format, tables.archive());
    if (kept.freezes(spec.window().firstStartOfEndAfter(start(day)))) {
      throw new SpecException(
          "Cannot recount %s: the archive is kept from %s on, so some of its windows' events may be gone. Give a later day."
              .formatted(day, kept.from().orElseThrow()));
    }
    Dataset<Row> ingested =
        ArchiveRows.ingested(format.readWithCommitVersions(tables.archive(), version));
    format.create(scratch.archive(), TableDefinitions.archive(spec));
    format.create(scratch.aggregates(), TableDefinitions.aggregates(spec));
    format.create(scratch.progress(), JournalDefinitions.progress());
    int runs = stream(ingested.filter(ofWindowsIn(day)), scratch, stream);
    return compare(day, version, runs, ingested, format.read(scratch.aggregates()));
  }

  private Column ofWindowsIn(LocalDate day) {
    Instant start = start(day);
    Instant first = spec.window().firstStartOfEndAfter(start);
    return col(ArchiveColumns.EVENT_DATE)
        .between(lit(first.atZone(ZoneOffset.UTC).toLocalDate()), lit(day))
        .and(col(ArchiveColumns.EVENT_TIME).geq(lit(first)));
  }

  private static Instant start(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  /** Appends the events in the order of their commits, some commits before each run. */
  private int stream(
      Dataset<Row> events,
      PipelineTables scratch,
      BiConsumer<PipelineSpec, PipelineTables> stream) {
    Column commit = col(ArchiveColumns.COMMIT_VERSION);
    List<Long> commits =
        events.select(commit).distinct().orderBy(commit).collectAsList().stream()
            .map(row -> row.getLong(0))
            .toList();
    int runs = Math.min(RUNS, commits.size());
    for (int i = 0; i < runs; i++) {
      long first = commits.get(i * commits.size() / runs);
      long last = commits.get((i + 1) * commits.size() / runs - 1);
      format.append(
          scratch.archive(),
          events.filter(commit.between(first, last)).drop(ArchiveColumns.COMMIT_VERSION));
      stream.accept(spec.closingNoWindow(), scratch);
    }
    return runs;
  }

  private Comparison compare(
      LocalDate day, long version, int runs, Dataset<Row> archive, Dataset<Row> streamed) {
    NavigableSet<Instant> partitions = new TreeSet<>();
    for (Instant start = start(day);
        start.isBefore(start(day.plusDays(1)));
        start = start.plus(spec.partition().length())) {
      partitions.add(start);
    }
    Recount recount =
        new Recount(
            spec, archive, streamed, StreamBounds.none(spark), Optional.empty(), KeptArchive.WHOLE);
    Step whole = new Step.WholePartitions(partitions, "they are compared");
    try (ClassifiedRows classified =
        ClassifiedRows.of(
            recount.classified(List.of(whole), Optional.empty()), Optional.empty(), spec)) {
      long all = classified.differences();
      Dataset<Row> unexplained =
          all == 0 ? classified.rows() : withoutUnlikeCopies(classified.rows(), archive, day);
      long differing = all == 0 ? 0 : unexplained.filter(Classification.differs()).count();
      return new Comparison(
          day,
          version,
          runs,
          classified.countsByName().getOrDefault("agreed", 0L),
          all - differing,
          differing,
          differing == 0 ? List.of() : RowDifference.largest(unexplained, spec, SHOWN_DIFFERENCES));
    }
  }

  private Dataset<Row> withoutUnlikeCopies(
      Dataset<Row> classified, Dataset<Row> archive, LocalDate day) {
    Dataset<Row> unlike =
        UnlikeCopies.of(Memberships.of(archive.filter(ofWindowsIn(day)), spec), spec);
    return classified.join(unlike, SameRow.of(classified, unlike, spec), "left_anti");
  }
}
