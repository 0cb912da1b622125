package io.tidemark.delta;

import static java.util.stream.Collectors.toSet;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;

import io.delta.tables.DeltaOptimizeBuilder;
import io.delta.tables.DeltaTable;
import io.tidemark.tables.Compaction;
import io.tidemark.tables.FileTotal;
import io.tidemark.tables.PartitionFiles;
import io.tidemark.tables.SqlLiteral;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.journal.Times;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.Snapshot;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import scala.Console;

/**
 * The upkeep of one Delta table: by OPTIMIZE, by VACUUM, and of what a crash left in its log.
 *
 * <p>Delta's own log needs none: with every checkpoint Delta deletes the commits, checkpoints and
 * checksums before it that are older than the table's {@code delta.logRetentionDuration}.
 */
record DeltaMaintenance(SparkSession spark, TablePath table) {

  private static final String VALUE = "value";

  private static final int LISTING_TASKS_PER_CORE = 2;

  /**
   * What a writer of the log did not live to rename: ours ({@link HardLinkLogStore}) and Delta's
   * checkpoints, with Hadoop's sidecars.
   */
  private static final Pattern UNFINISHED = Pattern.compile("\\..+\\.tmp(\\.crc)?");

  List<PartitionFiles> files(Snapshot snapshot) {
    Optional<StructField> column =
        Arrays.stream(snapshot.metadata().partitionSchema().fields()).findFirst();
    Column value =
        column
            .map(c -> col("partitionValues").getItem(c.name()).cast(c.dataType()))
            .orElse(lit(null));
    List<PartitionFiles> partitions = new ArrayList<>();
    for (Row row :
        snapshot
            .allFiles()
            .toDF()
            .groupBy(value.as(VALUE))
            .agg(
                count(lit(1)),
                count_if(col("size").lt(PartitionFiles.SMALL_BYTES)),
                sum(col("size")))
            .orderBy(VALUE)
            .collectAsList()) {
      partitions.add(
          new PartitionFiles(
              column.map(c -> condition(c, row)),
              column.flatMap(c -> start(c, row)),
              row.getLong(1),
              row.getLong(2),
              row.getLong(3)));
    }
    return partitions;
  }

  private static String condition(StructField column, Row row) {
    String name = "`" + column.name() + "`";
    if (row.isNullAt(0)) {
      return name + " IS NULL";
    } else if (column.dataType().equals(DataTypes.DateType)) {
      return name + " = " + SqlLiteral.of(LocalDate.parse(row.get(0).toString()));
    }
    return name
        + " = "
        + start(column, row)
            .map(SqlLiteral::of)
            .orElseGet(() -> SqlLiteral.of(row.get(0).toString()));
  }

  private static Optional<Instant> start(StructField column, Row row) {
    if (row.isNullAt(0)) {
      return Optional.empty();
    } else if (column.dataType().equals(DataTypes.DateType)) {
      return Optional.of(
          LocalDate.parse(row.get(0).toString()).atStartOfDay(ZoneOffset.UTC).toInstant());
    }
    return column.dataType().equals(DataTypes.TimestampType)
        ? Optional.of(Times.instant(row.get(0)))
        : Optional.empty();
  }

  Compaction compact(PartitionFiles partition) {
    DeltaOptimizeBuilder optimize = DeltaTable.forPath(spark, table.value()).optimize();
    Row metrics =
        partition
            .condition()
            .map(optimize::where)
            .orElse(optimize)
            .executeCompaction()
            .select("metrics.numFilesRemoved", "metrics.numFilesAdded")
            .head();
    return new Compaction(metrics.getLong(0), metrics.getLong(1));
  }

  FileTotal removable(Duration history) {
    return removableData(history).plus(total(unfinished(history)));
  }

  FileTotal vacuum(Duration history) {
    FileTotal data = vacuumData(history);
    List<FileStatus> unfinished = unfinished(history);
    for (FileStatus file : unfinished) {
      delete(file.getPath());
    }
    return data.plus(total(unfinished));
  }

  /** Told by what is gone afterwards: Delta itself does not say, unless it is asked beforehand. */
  private FileTotal vacuumData(Duration history) {
    List<FileStatus> old = dataFiles(history);
    // What is younger Delta does not delete, so there is no need to ask it.
    if (old.isEmpty()) {
      return FileTotal.NONE;
    }
    vacuum(history, "");
    Set<Path> left = dataFiles(history).stream().map(FileStatus::getPath).collect(toSet());
    return total(old.stream().filter(file -> !left.contains(file.getPath())).toList());
  }

  /** The files beside the log that were written before the history. */
  private List<FileStatus> dataFiles(Duration history) {
    long before = before(history);
    Path root = new Path(table.value());
    List<FileStatus> old = new ArrayList<>();
    try {
      for (FileStatus top : fileSystem(root).listStatus(root)) {
        if (top.getPath().getName().equals("_delta_log")) {
          continue;
        }
        RemoteIterator<LocatedFileStatus> files = fileSystem(root).listFiles(top.getPath(), true);
        while (files.hasNext()) {
          FileStatus file = files.next();
          if (file.getModificationTime() < before) {
            old.add(file);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot list " + root, e);
    }
    return old;
  }

  private FileTotal removableData(Duration history) {
    FileTotal total = FileTotal.NONE;
    if (dataFiles(history).isEmpty()) {
      return total;
    }
    Iterator<Row> paths = vacuum(history, " DRY RUN").toLocalIterator();
    while (paths.hasNext()) {
      total = total.plus(size(new Path(paths.next().getString(0))));
    }
    return total;
  }

  /**
   * In a session of its own, because of its settings: Delta would ignore the hours that it is
   * given, refuse fewer than the table's property says, and make two commits to say that it ran.
   */
  private Dataset<Row> vacuum(Duration history, String mode) {
    SparkSession session = ((org.apache.spark.sql.classic.SparkSession) spark).cloneSession();
    session.conf().set("spark.databricks.delta.vacuum.retentionWindowIgnore.enabled", "false");
    session.conf().set("spark.databricks.delta.retentionDurationCheck.enabled", "false");
    session.conf().set("spark.databricks.delta.vacuum.logging.enabled", "false");
    session
        .conf()
        .set(
            "spark.sql.sources.parallelPartitionDiscovery.parallelism",
            Integer.toString(spark.sparkContext().defaultParallelism() * LISTING_TASKS_PER_CORE));
    String statement =
        "VACUUM delta.`%s` RETAIN %d HOURS%s".formatted(table, wholeHours(history), mode);
    // Delta says on standard output what it has done, where a verb's answer goes.
    return Console.withOut(OutputStream.nullOutputStream(), () -> session.sql(statement));
  }

  private static long wholeHours(Duration history) {
    return history.plusHours(1).minusNanos(1).toHours();
  }

  private static long before(Duration history) {
    return System.currentTimeMillis() - Duration.ofHours(wholeHours(history)).toMillis();
  }

  private List<FileStatus> unfinished(Duration history) {
    Path log = new Path(table.value(), "_delta_log");
    long before = before(history);
    try {
      return Arrays.stream(fileSystem(log).listStatus(log))
          .filter(file -> file.isFile() && file.getModificationTime() < before)
          .filter(file -> UNFINISHED.matcher(file.getPath().getName()).matches())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot list " + log, e);
    }
  }

  private static FileTotal total(List<FileStatus> files) {
    return new FileTotal(files.size(), files.stream().mapToLong(FileStatus::getLen).sum());
  }

  /** Of a file; a folder that is empty counts for nothing, nor what is gone already. */
  private FileTotal size(Path path) {
    try {
      FileStatus status = fileSystem(path).getFileStatus(path);
      return status.isDirectory() ? FileTotal.NONE : new FileTotal(1, status.getLen());
    } catch (FileNotFoundException e) {
      return FileTotal.NONE;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot look up " + path, e);
    }
  }

  private void delete(Path file) {
    try {
      fileSystem(file).delete(file, false);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete " + file, e);
    }
  }

  private FileSystem fileSystem(Path path) throws IOException {
    return path.getFileSystem(spark.sparkContext().hadoopConfiguration());
  }
}
