package io.tidemark.tables;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.types.StructField;

/**
 * A table format that shows some tables as they were, to whoever only reads: for each of them, the
 * latest version is the one pinned.
 */
public final class PinnedTables implements TableFormat {

  private final TableFormat format;
  private final Map<TablePath, Long> versions;

  /**
   * @param versions by table; a table without one is shown as it is
   */
  public PinnedTables(TableFormat format, Map<TablePath, Long> versions) {
    this.format = format;
    this.versions = Map.copyOf(versions);
  }

  private Optional<Long> pinned(TablePath table) {
    return Optional.ofNullable(versions.get(table));
  }

  @Override
  public String name() {
    return format.name();
  }

  @Override
  public String ddl(TablePath table, TableDefinition definition) {
    return format.ddl(table, definition);
  }

  @Override
  public boolean exists(TablePath table) {
    return format.exists(table);
  }

  @Override
  public long version(TablePath table) {
    return pinned(table).orElseGet(() -> format.version(table));
  }

  @Override
  public long versionWhen(TablePath table, TablePath other, long otherVersion) {
    return Math.min(version(table), format.versionWhen(table, other, otherVersion));
  }

  @Override
  public Dataset<Row> read(TablePath table) {
    return pinned(table)
        .map(version -> format.read(table, version))
        .orElseGet(() -> format.read(table));
  }

  @Override
  public Dataset<Row> read(TablePath table, long version) {
    return format.read(table, version);
  }

  @Override
  public String relation(TablePath table) {
    return format.relation(table) + pinned(table).map(v -> " VERSION AS OF " + v).orElse("");
  }

  @Override
  public Dataset<Row> readWithCommitVersions(TablePath table, long version) {
    return format.readWithCommitVersions(table, version);
  }

  @Override
  public Inserts inserts(TablePath table, VersionRange range) {
    return format.inserts(table, range);
  }

  @Override
  public long versionRead(String offset) {
    return format.versionRead(offset);
  }

  @Override
  public Optional<LabelledCommit> newest(
      TablePath table, VersionRange commits, String application) {
    return format.newest(table, commits, application);
  }

  @Override
  public Optional<Long> newestVersion(TablePath table, String application) {
    return format.newestVersion(table, application);
  }

  @Override
  public Backlog backlog(TablePath table, VersionRange commits) {
    return format.backlog(table, commits);
  }

  @Override
  public Optional<Instant> committedAt(TablePath table, long version) {
    return format.committedAt(table, version);
  }

  @Override
  public Optional<String> unsafeFor(TablePath table) {
    return format.unsafeFor(table);
  }

  @Override
  public void create(TablePath table, TableDefinition definition) {
    throw readOnly();
  }

  @Override
  public void addFields(TablePath table, String column, List<StructField> fields) {
    throw readOnly();
  }

  @Override
  public boolean endedByNewFields(Throwable death) {
    throw readOnly();
  }

  @Override
  public Dataset<Row> stream(TablePath table, long firstVersion) {
    throw readOnly();
  }

  @Override
  public DataStreamWriter<Row> appendingTo(TablePath table, DataStreamWriter<Row> writer) {
    throw readOnly();
  }

  @Override
  public void append(TablePath table, Dataset<Row> rows) {
    throw readOnly();
  }

  @Override
  public void append(TablePath table, Dataset<Row> rows, CommitLabel label) {
    throw readOnly();
  }

  @Override
  public void merge(
      TablePath table, MergeStatement statement, Dataset<Row> source, CommitLabel label) {
    throw readOnly();
  }

  @Override
  public void upsert(TablePath table, Upsert upsert, Dataset<Row> rows, CommitLabel label) {
    throw readOnly();
  }

  @Override
  public void replace(TablePath table, String partitions, Dataset<Row> rows, CommitLabel label) {
    throw readOnly();
  }

  @Override
  public void delete(TablePath table, String partitions, CommitLabel label) {
    throw readOnly();
  }

  @Override
  public List<PartitionFiles> files(TablePath table) {
    throw readOnly();
  }

  @Override
  public Compaction compact(TablePath table, PartitionFiles partition) {
    throw readOnly();
  }

  @Override
  public FileTotal removable(TablePath table, Duration history) {
    throw readOnly();
  }

  @Override
  public FileTotal vacuum(TablePath table, Duration history) {
    throw readOnly();
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("tables as they were can only be read");
  }
}
