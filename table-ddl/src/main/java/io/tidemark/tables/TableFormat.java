package io.tidemark.tables;

import io.tidemark.spec.computation.ArchiveColumns;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.types.StructField;

/**
 * The port to a table format: all that the jobs need of one, in our words. Implementations hold no
 * state besides their session, and pass {@code TableFormatContract}.
 *
 * <p>Every write is atomic. A write throws {@link io.tidemark.spec.error.ConflictException} where
 * another writer's commit stands in its way: it has changed nothing and may be run again, whole.
 */
public interface TableFormat {

  /** The data source's name in Spark, e.g. {@code delta}. */
  String name();

  /** The SQL statement that creates the table, as {@link #create} runs it. */
  String ddl(TablePath table, TableDefinition definition);

  /** Creates the table where it is not yet. */
  void create(TablePath table, TableDefinition definition);

  /**
   * Appends fields to a column that is a struct; rows that are there have null in them. A stream
   * that reads the table ends, and goes on when it is started again.
   */
  void addFields(TablePath table, String column, List<StructField> fields);

  /** Whether a stream has ended as {@link #addFields} says. */
  boolean endedByNewFields(Throwable death);

  boolean exists(TablePath table);

  /** The latest version. */
  long version(TablePath table);

  /**
   * The latest version of the table when another table got one of its versions, by the times in
   * both logs. Cost: one small read for each halving of the number of versions.
   *
   * @throws io.tidemark.spec.error.UnsafeEnvironmentException if a log does not reach back so far
   */
  long versionWhen(TablePath table, TablePath other, long otherVersion);

  Dataset<Row> read(TablePath table);

  /**
   * The table as it was.
   *
   * @throws io.tidemark.spec.error.UnsafeEnvironmentException if the version is no longer kept
   */
  Dataset<Row> read(TablePath table, long version);

  /** The table in SQL text, e.g. <code>delta.`/warehouse/clicks/archive`</code>. */
  String relation(TablePath table);

  /**
   * Reads a table at a version, with the column {@link #COMMIT_VERSION}: the version that added the
   * row, whatever has been compacted since.
   */
  Dataset<Row> readWithCommitVersions(TablePath table, long version);

  /**
   * The rows that a table had at a version, read from the latest one: the version's own files may
   * have been compacted and deleted since. Without those of partitions that were deleted. As {@link
   * #readWithCommitVersions} has them.
   */
  default Dataset<Row> readThrough(TablePath table, long version) {
    return readWithCommitVersions(table, version(table))
        .filter(functions.col(COMMIT_VERSION).leq(functions.lit(version)));
  }

  /**
   * The rows that commits {@code (after, through]} added to a table whose rows are only ever
   * appended, and deleted by {@link #delete}. Read from these commits' own files, at a cost in
   * proportion to them, or from the whole table where that is not possible any more. Cost of
   * finding out: one small read per commit.
   */
  Inserts inserts(TablePath table, VersionRange range);

  /**
   * Rows that some commits added.
   *
   * @param rows with {@link #COMMIT_VERSION}
   * @param wholeTableBecause why they can't be read from the commits' own files: in words, to
   *     follow "because"; empty: they can
   */
  record Inserts(Dataset<Row> rows, Optional<String> wholeTableBecause) {}

  /** Name of the column that says which version of the table added a row. */
  String COMMIT_VERSION = ArchiveColumns.COMMIT_VERSION;

  /**
   * Streams the rows that commits from {@code firstVersion} on add, each commit whole in one batch.
   * Rows deleted by partition are no error.
   */
  Dataset<Row> stream(TablePath table, long firstVersion);

  /**
   * The last version of the table that a batch has read completely.
   *
   * @param offset the batch's offset of {@link #stream}, as Spark's checkpoint has it
   */
  long versionRead(String offset);

  /** Makes a streaming query append to the table, each batch once. */
  DataStreamWriter<Row> appendingTo(TablePath table, DataStreamWriter<Row> writer);

  void append(TablePath table, Dataset<Row> rows);

  void append(TablePath table, Dataset<Row> rows, CommitLabel label);

  void merge(TablePath table, MergeStatement statement, Dataset<Row> source, CommitLabel label);

  /**
   * Merges whole rows.
   *
   * @param rows with the table's columns, one for each identity
   */
  void upsert(TablePath table, Upsert upsert, Dataset<Row> rows, CommitLabel label);

  /**
   * Replaces all rows of some partitions, without reading them. Meets only writers of the same
   * partitions.
   *
   * @param partitions a condition of literals on the partition column, e.g. <code>`window_date` IN
   *     (DATE'2026-03-01')</code>
   * @param rows of these partitions
   */
  void replace(TablePath table, String partitions, Dataset<Row> rows, CommitLabel label);

  /**
   * Deletes all rows of some partitions, without reading them, and leaves no trace in {@link
   * #inserts} and {@link #stream}. Meets only writers that change rows of the same partitions: what
   * others append to them meanwhile stays.
   *
   * @param partitions a condition of literals on the partition column, e.g. <code>`event_date` <
   *     DATE'2026-03-01'</code>
   */
  void delete(TablePath table, String partitions, CommitLabel label);

  /**
   * The version of the newest label of an application that labels for {@link
   * CommitLabel.Writers#SEVERAL}. Unlike {@link #newest} it is kept for good. Cost: as a rule one
   * small read.
   */
  Optional<Long> newestVersion(TablePath table, String application);

  /**
   * The newest of these commits that the application made. Cost: one small read per commit, from
   * the newest back to it.
   *
   * @throws io.tidemark.spec.error.UnsafeEnvironmentException if the application has made commits,
   *     but the newest of them may be among those whose files the format has cleaned up
   */
  Optional<LabelledCommit> newest(TablePath table, VersionRange commits, String application);

  /**
   * The commit that the application made under a label of this version. Versions of its labels must
   * grow. Cost: one small read per commit, from the newest back to it.
   *
   * @throws io.tidemark.spec.error.UnsafeEnvironmentException as {@link #newest} does
   */
  default Optional<LabelledCommit> labelled(
      TablePath table, String application, long labelVersion) {
    Optional<LabelledCommit> found =
        newest(table, VersionRange.through(version(table)), application);
    while (found.isPresent() && found.get().version() > labelVersion) {
      found = newest(table, VersionRange.through(found.get().tableVersion() - 1), application);
    }
    return found.filter(commit -> commit.version() == labelVersion);
  }

  /** Records and age of the commits, without reading a row. */
  Backlog backlog(TablePath table, VersionRange commits);

  /** When a version was committed; empty: the table's log no longer holds that commit. */
  Optional<Instant> committedAt(TablePath table, long version);

  /** The data files of the latest version by partition. Cost: reads the log, and no row. */
  List<PartitionFiles> files(TablePath table);

  /** The bytes of these files. */
  default long bytes(TablePath table) {
    return files(table).stream().mapToLong(PartitionFiles::bytes).sum();
  }

  /**
   * Rewrites the small files of one partition into fewer and changes no row: streams and {@link
   * #inserts} read nothing of it, and each row keeps its {@link #COMMIT_VERSION}. Meets only
   * writers that change or delete rows of the same partition. Makes no commit where there is
   * nothing to join.
   */
  Compaction compact(TablePath table, PartitionFiles partition);

  /** What {@link #vacuum} would delete now. Cost: lists the table's folder. */
  FileTotal removable(TablePath table, Duration history);

  /**
   * Deletes the files that no version of the last {@code history} needs: those replaced longer ago,
   * and those that a crashed writer has left for longer. Makes no commit. A file that was written
   * within the history is never deleted, so a writer that takes less time than that is safe.
   *
   * @param history is rounded up to whole hours
   */
  FileTotal vacuum(TablePath table, Duration history);

  /** Names what makes a commit of this session unsafe where the table lies; empty: nothing. */
  Optional<String> unsafeFor(TablePath table);
}
