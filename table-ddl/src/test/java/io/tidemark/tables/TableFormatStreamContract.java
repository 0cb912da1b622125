package io.tidemark.tables;

import static io.tidemark.tables.ColumnDefinition.optional;
import static io.tidemark.tables.ColumnDefinition.required;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every {@link TableFormat} has to do as source and sink of a stream. */
public abstract class TableFormatStreamContract {

  private static final TableDefinition NUMBERS =
      new TableDefinition(
          "Numbers.",
          List.of(
              required("id", DataTypes.LongType, "The number"),
              optional("part", DataTypes.LongType, "The partition")),
          Optional.of("part"),
          new TreeMap<>(),
          Set.of());

  private final SparkSession spark;
  private final TableFormat format;
  @TempDir Path directory;
  private TablePath table;

  /**
   * @param settings that a session needs for the format
   * @param format makes the format of a session
   */
  protected TableFormatStreamContract(
      Map<String, String> settings, Function<SparkSession, TableFormat> format) {
    this.spark = TestSession.with(settings);
    this.format = format.apply(spark);
  }

  @BeforeEach
  void create() {
    table = new TablePath(directory.resolve("numbers").toString());
    format.create(table, NUMBERS);
  }

  /** Appends the ids as one commit of two partitions, each of several files. */
  private void append(long first, long last) {
    format.append(
        table,
        spark.range(first, last + 1).selectExpr("id", "id % 2 AS part").repartition(2),
        CommitLabel.ofSeveralWriters("writer", last, "{}"));
  }

  /** Reads what there is; each batch as its ids in order. */
  private List<String> batches(long firstVersion, Path checkpoint) throws Exception {
    ConcurrentLinkedQueue<String> batches = new ConcurrentLinkedQueue<>();
    VoidFunction2<Dataset<Row>, Long> collect =
        (batch, number) ->
            batches.add(
                number
                    + ": "
                    + batch.select("id").orderBy("id").collectAsList().stream()
                        .map(row -> Long.toString(row.getLong(0)))
                        .collect(Collectors.joining(" ")));
    run(
        format.stream(table, firstVersion)
            .writeStream()
            .option("checkpointLocation", checkpoint.toString())
            .trigger(Trigger.AvailableNow())
            .foreachBatch(collect));
    return List.copyOf(batches);
  }

  private static void run(DataStreamWriter<Row> writer) throws Exception {
    StreamingQuery query = writer.start();
    query.awaitTermination();
  }

  @Test
  void aStreamReadsTheRowsThatCommitsFromAVersionOnAddedInWholeCommits() throws Exception {
    append(1, 2);
    append(11, 16);
    append(21, 22);

    assertThat(batches(2, directory.resolve("from-2")))
        .containsExactly("0: 11 12 13 14 15 16 21 22");
    assertThat(batches(0, directory.resolve("from-0")))
        .containsExactly("0: 1 2 11 12 13 14 15 16 21 22");
  }

  @Test
  void aStreamGoesOnWhereItsCheckpointEndsAndReadsNoCompaction() throws Exception {
    Path checkpoint = directory.resolve("checkpoint");
    append(1, 2);
    assertThat(batches(0, checkpoint)).containsExactly("0: 1 2");

    append(11, 12);
    for (PartitionFiles partition : format.files(table)) {
      assertThat(format.compact(table, partition).replaced()).isGreaterThan(1);
    }
    append(21, 22);

    assertThat(batches(0, checkpoint)).containsExactly("1: 11 12 21 22");
    assertThat(batches(0, checkpoint)).isEmpty();
  }

  @Test
  void theOffsetOfABatchNamesTheVersionThatItHasReadWhole() throws Exception {
    Path checkpoint = directory.resolve("checkpoint");
    append(1, 6);
    batches(0, checkpoint);
    append(11, 16);
    append(21, 26);
    batches(0, checkpoint);

    assertThat(versionRead(checkpoint, 0)).isEqualTo(1);
    assertThat(versionRead(checkpoint, 1)).isEqualTo(3);
  }

  private long versionRead(Path checkpoint, long batch) throws Exception {
    List<String> lines = Files.readAllLines(checkpoint.resolve("offsets/" + batch));
    return format.versionRead(lines.get(2));
  }

  @Test
  void rowsThatAreDeletedByPartitionEndNoStream() throws Exception {
    Path checkpoint = directory.resolve("checkpoint");
    append(1, 4);
    batches(0, checkpoint);
    format.delete(table, "part = 0", CommitLabel.ofSeveralWriters("retention", 1, "{}"));
    append(11, 12);

    assertThat(format.read(table).count()).isEqualTo(4);
    assertThat(batches(0, checkpoint)).containsExactly("1: 11 12");
  }

  @Test
  void aStreamAppendsEachBatchOnceEvenIfItIsReplayed() throws Exception {
    Path lines = Files.createDirectory(directory.resolve("lines"));
    Path checkpoint = directory.resolve("sink");
    Files.writeString(lines.resolve("a.txt"), "1\n2\n");
    appendLines(lines, checkpoint);
    assertThat(format.read(table).count()).isEqualTo(2);

    // As if the process had died after the batch was written and before Spark noted it.
    Files.delete(checkpoint.resolve("commits/0"));
    Files.deleteIfExists(checkpoint.resolve("commits/.0.crc"));
    Files.writeString(lines.resolve("b.txt"), "3\n");
    appendLines(lines, checkpoint);

    assertThat(format.read(table).select("id").orderBy("id").collectAsList())
        .extracting(row -> row.getLong(0))
        .containsExactly(1L, 2L, 3L);
  }

  private void appendLines(Path lines, Path checkpoint) throws Exception {
    Dataset<Row> numbers =
        spark
            .readStream()
            .text(lines.toString())
            .selectExpr("CAST(value AS BIGINT) AS id", "0L AS part");
    run(
        format
            .appendingTo(table, numbers.writeStream())
            .option("checkpointLocation", checkpoint.toString())
            .trigger(Trigger.AvailableNow()));
  }
}
