package io.tidemark.tables;

import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.DataStreamWriter;

/** A table format that can only be named in SQL. */
final class NamedRelations implements TableFormat {

  @Override
  public String name() {
    return "named";
  }

  @Override
  public String relation(TablePath table) {
    return "named.`" + table + "`";
  }

  @Override
  public String ddl(TablePath table, TableDefinition definition) {
    return "CREATE TABLE " + relation(table);
  }

  @Override
  public void create(TablePath table, TableDefinition definition) {
    throw noTables();
  }

  @Override
  public boolean exists(TablePath table) {
    throw noTables();
  }

  @Override
  public long version(TablePath table) {
    throw noTables();
  }

  @Override
  public Dataset<Row> read(TablePath table) {
    throw noTables();
  }

  @Override
  public Dataset<Row> read(TablePath table, long version) {
    throw noTables();
  }

  @Override
  public Dataset<Row> readWithCommitVersions(TablePath table, long version) {
    throw noTables();
  }

  @Override
  public Inserts inserts(TablePath table, VersionRange range) {
    throw noTables();
  }

  @Override
  public Dataset<Row> stream(TablePath table, long firstVersion) {
    throw noTables();
  }

  @Override
  public long versionRead(String offset) {
    throw noTables();
  }

  @Override
  public DataStreamWriter<Row> appendingTo(TablePath table, DataStreamWriter<Row> writer) {
    throw noTables();
  }

  @Override
  public void append(TablePath table, Dataset<Row> rows, CommitLabel label) {
    throw noTables();
  }

  @Override
  public long versionWhen(TablePath table, TablePath other, long otherVersion) {
    throw noTables();
  }

  @Override
  public void replace(TablePath table, String partitions, Dataset<Row> rows, CommitLabel label) {
    throw noTables();
  }

  @Override
  public void merge(
      TablePath table, MergeStatement statement, Dataset<Row> source, CommitLabel label) {
    throw noTables();
  }

  @Override
  public void append(TablePath table, Dataset<Row> rows) {
    throw noTables();
  }

  @Override
  public Optional<LabelledCommit> newest(
      TablePath table, VersionRange commits, String application) {
    throw noTables();
  }

  @Override
  public Backlog backlog(TablePath table, VersionRange commits) {
    throw noTables();
  }

  @Override
  public Optional<String> unsafeFor(TablePath table) {
    throw noTables();
  }

  private static UnsupportedOperationException noTables() {
    return new UnsupportedOperationException("this format has no tables");
  }
}
