package io.tidemark.ingest;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.ingest.ImportOutcome.ImportedRecords;
import io.tidemark.merge.ConflictRetry;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.Source;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.computation.ArchiveRows;
import io.tidemark.spec.computation.RecordCounts;
import io.tidemark.spec.error.DataRefusedException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.ArchiveSchema;
import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.CommitMessage;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.LabelledCommit;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.VersionRange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The job {@code import}: takes files of history into the archive by one commit, each record as
 * {@code ingest} would take it, but marked and never too old. The stream skips what is marked; the
 * next settlement adopts it.
 *
 * <p>The commit is labelled with the files' paths, lengths and times, so that the same import
 * happens once, however often and by however many it is run; a crash leaves nothing or all of it.
 * Files that another import has taken too are archived again, and count nothing: their records are
 * copies, by event id or by source position.
 */
public final class ImportJob {

  /** Other writers only append, so a conflict is rare and short. */
  private static final int ATTEMPTS = 3;

  /** Of the one commit under an import's label. */
  private static final long ONLY_VERSION = 0;

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final String attempt;
  private final ConflictRetry retry = ConflictRetry.times(ATTEMPTS);

  /**
   * @param attempt names this run, unlike any before
   */
  public ImportJob(
      SparkSession spark,
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      String attempt) {
    this.spark = spark;
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.attempt = attempt;
  }

  /**
   * Imports, unless an earlier run has.
   *
   * @param locations a file, a directory or a glob each
   * @throws SpecException if there is no file at one of them
   * @throws DataRefusedException if they hold events of frozen windows
   * @throws io.tidemark.spec.error.ConflictException if other writers came first at every attempt
   */
  public ImportOutcome run(List<String> locations) {
    HistoryFiles files = find(locations);
    if (isDone(files)) {
      return doneBefore(files);
    }
    Dataset<Row> rows = rows(files);
    requireKept(rows);
    ArchiveSchema.appendColumns(format, tables.archive(), spec.event());
    // Where it can, Spark then makes a few large files a day, not one a day of each that is read.
    Dataset<Row> byDay = rows.hint("rebalance", col(ArchiveColumns.EVENT_DATE));
    CommitLabel label =
        CommitLabel.ofSeveralWriters(application(files), ONLY_VERSION, message(files));
    long before = format.version(tables.archive());
    retry.run(() -> format.append(tables.archive(), byDay, label));
    return committedSince(before, files)
        .<ImportOutcome>map(
            commit ->
                new ImportOutcome.Imported(
                    files.importId(),
                    files.files().size(),
                    counted(rowsOf(commit)),
                    commit.tableVersion()))
        .orElseGet(() -> doneBefore(files));
  }

  /**
   * Reads and counts; writes nothing.
   *
   * @throws SpecException if there is no file at one of the locations
   * @throws DataRefusedException if they hold events of frozen windows
   */
  public ImportOutcome dryRun(List<String> locations) {
    HistoryFiles files = find(locations);
    if (isDone(files)) {
      return doneBefore(files);
    }
    Dataset<Row> rows = rows(files);
    requireKept(rows);
    return new ImportOutcome.DryRun(files.importId(), files.files().size(), counted(rows));
  }

  private boolean isDone(HistoryFiles files) {
    return format.newestVersion(tables.archive(), application(files)).isPresent();
  }

  private static ImportOutcome doneBefore(HistoryFiles files) {
    return new ImportOutcome.DoneBefore(files.importId(), files.files().size());
  }

  /** What is imported into frozen windows would never be counted. */
  private void requireKept(Dataset<Row> rows) {
    KeptArchive kept = KeptArchive.of(format, tables.archive());
    if (kept.start().isEmpty()) {
      return;
    }
    Instant from = spec.window().startingOnlyFrom(kept.start().get());
    long before =
        rows.filter(
                col(ArchiveColumns.PROBLEM)
                    .isNull()
                    .and(col(ArchiveColumns.EVENT_TIME).lt(lit(from))))
            .count();
    if (before > 0) {
      throw new DataRefusedException(
          "Cannot import: %d of the records happened before %s, and the archive is kept from %s on, so that windows of theirs are frozen. Take these records out of the files. Nothing was changed."
              .formatted(before, from, kept.from().orElseThrow()));
    }
  }

  private HistoryFiles find(List<String> locations) {
    requireIdentity();
    return HistoryFiles.find(spark.sparkContext().hadoopConfiguration(), source(), locations);
  }

  /** Of files as sources, the pipeline file has been asked for this. */
  private void requireIdentity() {
    if (source().format().isText() && spec.identifiedByPosition() && !spec.identicalLinesOne()) {
      throw new SpecException(
          "Cannot import: events of "
              + spec.name()
              + " are told apart by their position alone, and lines of files have none, so identical"
              + " lines of a file would count once. Add identical-lines: one if that is right, or"
              + " name an event.id and write duplicates: drop.");
    }
  }

  private Dataset<Row> rows(HistoryFiles files) {
    return ArchiveRows.imported(
        FileRecords.batch(spark, source(), spec.event(), files.paths()),
        spec.event(),
        spec.source(),
        files.importId());
  }

  private Source.Files source() {
    return spec.source().history();
  }

  private ImportedRecords counted(Dataset<Row> rows) {
    return new ImportedRecords(RecordCounts.of(rows, spec), ProblemCount.of(rows));
  }

  /** This run's commit; empty: an earlier one has the label, so that nothing was written. */
  private Optional<LabelledCommit> committedSince(long version, HistoryFiles files) {
    VersionRange since = VersionRange.since(version, format.version(tables.archive()));
    return format
        .newest(tables.archive(), since, application(files))
        .filter(commit -> attemptOf(commit).equals(attempt));
  }

  private Dataset<Row> rowsOf(LabelledCommit commit) {
    long version = commit.tableVersion();
    return format.inserts(tables.archive(), new VersionRange(version - 1, version)).rows();
  }

  private static String application(HistoryFiles files) {
    return "import/" + files.importId();
  }

  private String message(HistoryFiles files) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("attempt", attempt)
        .put("files", files.files().size())
        .toString();
  }

  private static String attemptOf(LabelledCommit commit) {
    return CommitMessage.read(
        "the import's commit", commit.message(), json -> json.required("attempt").asText());
  }
}
