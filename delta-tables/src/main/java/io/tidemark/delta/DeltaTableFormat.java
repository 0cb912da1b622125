package io.tidemark.delta;

import static org.apache.spark.sql.functions.col;

import io.delta.tables.DeltaTable;
import io.tidemark.delta.DeltaCommitLog.Additions;
import io.tidemark.delta.DeltaCommitLog.LabelledCommits;
import io.tidemark.delta.DeltaUpsert.Outcome;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.Backlog;
import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.CommitLabel.Writers;
import io.tidemark.tables.Compaction;
import io.tidemark.tables.FileTotal;
import io.tidemark.tables.LabelledCommit;
import io.tidemark.tables.MergeStatement;
import io.tidemark.tables.MergeStatement.MergeRelations;
import io.tidemark.tables.PartitionFiles;
import io.tidemark.tables.TableDefinition;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.Upsert;
import io.tidemark.tables.VersionRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.delta.Snapshot;
import org.apache.spark.sql.delta.VersionNotFoundException;
import org.apache.spark.sql.delta.actions.SetTransaction;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.types.StructField;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The port for Delta Lake.
 *
 * <p>A {@link CommitLabel} becomes Delta's transaction identifier and the commit's user metadata,
 * in the commit itself, so that a repeated write is skipped before it scans anything.
 */
public final class DeltaTableFormat implements TableFormat {

  private static final long NEVER = -1;

  private final SparkSession spark;
  private final LabellingSessions labelling = new LabellingSessions();
  private final DeltaUpsert upserts = new DeltaUpsert();

  /** What this process has seen or made of labels with one writer, by table and application. */
  private final Map<String, Long> committedByOneWriter = new ConcurrentHashMap<>();

  public DeltaTableFormat(SparkSession spark) {
    this.spark = spark;
  }

  @Override
  public String name() {
    return "delta";
  }

  @Override
  public String ddl(TablePath table, TableDefinition definition) {
    return DeltaDdl.createTable(relation(table), definition);
  }

  @Override
  public void create(TablePath table, TableDefinition definition) {
    describingConflicts(
        "create " + table, () -> spark.sql(DeltaDdl.createTable(relation(table), definition)));
  }

  @Override
  public void addFields(TablePath table, String column, List<StructField> fields) {
    describingConflicts(
        "add columns to " + table,
        () -> spark.sql(DeltaDdl.addFields(relation(table), column, fields)));
  }

  @Override
  public boolean endedByNewFields(Throwable death) {
    for (Throwable cause = death; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkThrowable known
          && known.getCondition() != null
          && known.getCondition().startsWith("DELTA_SCHEMA_CHANGED")) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean exists(TablePath table) {
    return DeltaTable.isDeltaTable(spark, table.value());
  }

  @Override
  public long version(TablePath table) {
    return latest(table).version();
  }

  private Snapshot latest(TablePath table) {
    DeltaLog log = DeltaLog.forTable(spark, table.value());
    return log.update(false, log.update$default$2(), log.update$default$3());
  }

  @Override
  public long versionWhen(TablePath table, TablePath other, long otherVersion) {
    return log(other)
        .time(otherVersion)
        .flatMap(time -> log(table).newestAt(time, version(table)))
        .orElseThrow(() -> noLongerKept(other, otherVersion));
  }

  @Override
  public Dataset<Row> read(TablePath table) {
    return spark.read().format(name()).load(table.value());
  }

  @Override
  public Dataset<Row> read(TablePath table, long version) {
    try {
      return spark.read().format(name()).option("versionAsOf", version).load(table.value());
    } catch (Exception e) {
      // Scala code throws it without declaring it.
      if (e instanceof VersionNotFoundException) {
        throw noLongerKept(table, version);
      }
      throw e;
    }
  }

  private static UnsafeEnvironmentException noLongerKept(TablePath table, long version) {
    return new UnsafeEnvironmentException(
        "Cannot read version "
            + version
            + " of "
            + table
            + ": its history is no longer kept. Ask for a later one.");
  }

  @Override
  public String relation(TablePath table) {
    return "delta.`" + table + "`";
  }

  @Override
  public Dataset<Row> readWithCommitVersions(TablePath table, long version) {
    Dataset<Row> rows = read(table, version);
    return rows.select(col("*"), col("_metadata.row_commit_version").as(COMMIT_VERSION));
  }

  @Override
  public Inserts inserts(TablePath table, VersionRange range) {
    if (range.isEmpty()) {
      return new Inserts(readWithCommitVersions(table, range.through()).limit(0), Optional.empty());
    }
    Additions additions = log(table).additions(range);
    if (additions.unreadable().isPresent()) {
      return new Inserts(
          readWithCommitVersions(table, range.through())
              .filter(col(COMMIT_VERSION).gt(range.after())),
          additions.unreadable());
    }
    return new Inserts(
        additions.commits().stream()
            .map(commits -> changes(table, commits))
            .reduce(Dataset::unionByName)
            .orElseGet(() -> readWithCommitVersions(table, range.through()).limit(0)),
        Optional.empty());
  }

  private Dataset<Row> changes(TablePath table, VersionRange range) {
    return spark
        .read()
        .format(name())
        .option("readChangeFeed", "true")
        .option("startingVersion", range.after() + 1)
        .option("endingVersion", range.through())
        .load(table.value())
        .filter(col("_change_type").equalTo("insert"))
        .withColumnRenamed("_commit_version", COMMIT_VERSION)
        .drop("_change_type", "_commit_timestamp");
  }

  @Override
  public Dataset<Row> stream(TablePath table, long firstVersion) {
    return spark
        .readStream()
        .format(name())
        .option("startingVersion", firstVersion)
        .option("ignoreDeletes", "true")
        // A commit that is split over batches loses events by the order of reading alone.
        .option("maxFilesPerTrigger", Integer.MAX_VALUE)
        .load(table.value());
  }

  @Override
  public long versionRead(String offset) {
    return DeltaStreamOffset.parse(offset).versionRead();
  }

  @Override
  public DataStreamWriter<Row> appendingTo(TablePath table, DataStreamWriter<Row> writer) {
    return writer.format(name()).outputMode("append").option("path", table.value());
  }

  @Override
  public void append(TablePath table, Dataset<Row> rows) {
    write("append to " + table, table, rows, "append", Map.of());
  }

  @Override
  public void append(TablePath table, Dataset<Row> rows, CommitLabel label) {
    once(table, label, () -> write("append to " + table, table, rows, "append", options(label)));
  }

  @Override
  public void replace(TablePath table, String partitions, Dataset<Row> rows, CommitLabel label) {
    Map<String, String> options = options(label);
    options.put("replaceWhere", partitions);
    once(
        table,
        label,
        () -> write("replace partitions of " + table, table, rows, "overwrite", options));
  }

  private void write(
      String what, TablePath table, Dataset<Row> rows, String mode, Map<String, String> options) {
    describingConflicts(
        what, () -> rows.write().format(name()).mode(mode).options(options).save(table.value()));
  }

  /** A label, as options of a write. */
  private static Map<String, String> options(CommitLabel label) {
    Map<String, String> options = new HashMap<>();
    options.put("userMetadata", new LabelJson(label).text());
    if (label.writers() == Writers.SEVERAL) {
      options.put("txnAppId", label.application());
      options.put("txnVersion", Long.toString(label.version()));
    }
    return options;
  }

  @Override
  public void merge(
      TablePath table, MergeStatement statement, Dataset<Row> source, CommitLabel label) {
    once(table, label, () -> mergeNow(table, statement, source, label));
  }

  private void mergeNow(
      TablePath table, MergeStatement statement, Dataset<Row> source, CommitLabel label) {
    describingConflicts(
        "merge into " + table,
        () ->
            labelling.lend(
                source.sparkSession(),
                session ->
                    session.run(
                        label,
                        source,
                        view -> statement.sql().apply(new MergeRelations(relation(table), view)))));
  }

  @Override
  public void upsert(TablePath table, Upsert upsert, Dataset<Row> rows, CommitLabel label) {
    once(
        table,
        label,
        () ->
            describingConflicts(
                "upsert into " + table,
                () -> {
                  if (upserts.run(table, upsert, rows, label) == Outcome.MEETS_PROTECTED_ROWS) {
                    mergeNow(table, upsert.statement(), rows, label);
                  }
                }));
  }

  @Override
  public void delete(TablePath table, String partitions, CommitLabel label) {
    String statement = "DELETE FROM %s WHERE %s".formatted(relation(table), partitions);
    once(
        table,
        label,
        () ->
            describingConflicts(
                "delete partitions of " + table,
                () -> labelling.lend(spark, session -> session.run(label, statement))));
  }

  /** Runs a labelled write, unless the label has been used. */
  private void once(TablePath table, CommitLabel label, Runnable write) {
    if (label.writers() == Writers.SEVERAL) {
      write.run();
      return;
    }
    String application = table + " " + label.application();
    long committed =
        committedByOneWriter.computeIfAbsent(
            application,
            unknown ->
                newest(table, VersionRange.through(version(table)), label.application())
                    .map(LabelledCommit::version)
                    .orElse(NEVER));
    if (committed < label.version()) {
      // What fails for us may have been committed all the same.
      committedByOneWriter.remove(application);
      write.run();
      committedByOneWriter.put(application, label.version());
    }
  }

  @Override
  public Optional<LabelledCommit> newest(
      TablePath table, VersionRange commits, String application) {
    LabelledCommits found = log(table).newest(commits, application);
    if (!found.complete() && newestVersion(table, application).isPresent()) {
      throw new UnsafeEnvironmentException(
          "Cannot find the newest commit of '"
              + application
              + "' to "
              + table
              + ": the table's log no longer holds it, because nothing of it was written for longer"
              + " than the log is kept. Ingest again into a new warehouse path.");
    }
    return found.newest();
  }

  @Override
  public Optional<Long> newestVersion(TablePath table, String application) {
    Snapshot latest = latest(table);
    // As a rule they lie in the version's checksum; else the table's state is put together.
    Seq<SetTransaction> transactions =
        latest.setTransactionsIfKnown().getOrElse(latest::setTransactions);
    return CollectionConverters.asJava(transactions).stream()
        .filter(transaction -> transaction.appId().equals(application))
        .map(SetTransaction::version)
        .findFirst();
  }

  @Override
  public Backlog backlog(TablePath table, VersionRange commits) {
    return log(table).backlog(commits);
  }

  @Override
  public Optional<Instant> committedAt(TablePath table, long version) {
    return log(table).time(version);
  }

  @Override
  public List<PartitionFiles> files(TablePath table) {
    return new DeltaMaintenance(spark, table).files(latest(table));
  }

  @Override
  public Compaction compact(TablePath table, PartitionFiles partition) {
    return describingConflicts(
        "compact " + table, () -> new DeltaMaintenance(spark, table).compact(partition));
  }

  @Override
  public FileTotal removable(TablePath table, Duration history) {
    return new DeltaMaintenance(spark, table).removable(history);
  }

  @Override
  public FileTotal vacuum(TablePath table, Duration history) {
    return new DeltaMaintenance(spark, table).vacuum(history);
  }

  @Override
  public Optional<String> unsafeFor(TablePath table) {
    return CommitRule.unsafe(
        table, spark.sparkContext().getConf(), spark.sparkContext().hadoopConfiguration());
  }

  private DeltaCommitLog log(TablePath table) {
    return new DeltaCommitLog(
        new Path(table.value(), "_delta_log"), spark.sparkContext().hadoopConfiguration());
  }

  private static void describingConflicts(String what, Runnable write) {
    describingConflicts(
        what,
        () -> {
          write.run();
          return true;
        });
  }

  private static <T> T describingConflicts(String what, Supplier<T> write) {
    try {
      return write.get();
    } catch (ConcurrentModificationException e) {
      throw new ConflictException(
          "Could not " + what + ": another writer committed first. Nothing was changed; run again.",
          e);
    }
  }
}
