package io.tidemark.tables;

import static io.tidemark.tables.ColumnDefinition.optional;
import static io.tidemark.tables.ColumnDefinition.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.error.ConflictException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.spark.metrics.source.CodegenMetrics;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What every {@link TableFormat} has to do in a merge and a replacement, and between two. */
@Timeout(120)
public abstract class TableFormatMergeContract {

  private static final TableDefinition TOTALS =
      new TableDefinition(
          "Totals.",
          List.of(
              required("id", DataTypes.LongType, "Whose"),
              required("day", DataTypes.DateType, "The partition"),
              optional("total", DataTypes.LongType, "How much")),
          Optional.of("day"),
          new TreeMap<>(Map.of("total_is_positive", "total > 0")),
          Set.of());

  private final SparkSession spark;
  private final Function<SparkSession, TableFormat> formats;
  private final TableFormat format;
  @TempDir Path directory;
  private TablePath table;

  /**
   * @param settings that a session needs for the format
   * @param format makes the format of a session
   */
  protected TableFormatMergeContract(
      Map<String, String> settings, Function<SparkSession, TableFormat> format) {
    this.spark = TestSession.with(settings);
    this.formats = format;
    this.format = format.apply(spark);
  }

  @BeforeEach
  void create() {
    table = new TablePath(directory.resolve("totals").toString());
    format.create(table, TOTALS);
    format.append(
        table,
        totals(spark, "(1, '2026-03-01', 10), (2, '2026-03-02', 20)"),
        CommitLabel.ofSeveralWriters("init", 1, "{}"));
  }

  private static Dataset<Row> totals(SparkSession session, String values) {
    return session.sql(
        "SELECT CAST(id AS BIGINT) AS id, CAST(day AS DATE) AS day, CAST(total AS BIGINT) AS total"
            + " FROM VALUES "
            + values
            + " AS t(id, day, total)");
  }

  private static MergeStatement upsert(String day) {
    return new MergeStatement(
        relations ->
            """
            MERGE INTO %s t
            USING %s s
            ON t.day IN (DATE'%s') AND t.id = s.id
            WHEN MATCHED THEN UPDATE SET t.total = s.total
            WHEN NOT MATCHED THEN INSERT (id, day, total) VALUES (s.id, s.day, s.total)"""
                .formatted(relations.target(), relations.source(), day));
  }

  private void merge(String values, CommitLabel label) {
    format.merge(table, upsert("2026-03-01"), totals(spark, values), label);
  }

  private List<String> rows() {
    return format.read(table).orderBy("id").collectAsList().stream().map(Row::toString).toList();
  }

  private Optional<Long> newestVersion(String application) {
    return format
        .newest(table, new VersionRange(-1, format.version(table)), application)
        .map(LabelledCommit::version);
  }

  @Test
  void aRepeatedMergeRunsTheCodeThatWasCompiledForTheFirst() {
    merge("(1, '2026-03-01', 11)", CommitLabel.ofOneWriter("stream", 1));
    merge("(1, '2026-03-01', 12)", CommitLabel.ofOneWriter("stream", 2));
    long before = CodegenMetrics.METRIC_COMPILATION_TIME().getCount();

    merge("(1, '2026-03-01', 13)", CommitLabel.ofOneWriter("stream", 3));

    assertThat(rows()).contains("[1,2026-03-01,13]");
    // Code that holds the rows' literals is new; with nothing kept there would be seven classes.
    assertThat(CodegenMetrics.METRIC_COMPILATION_TIME().getCount() - before).isLessThan(5);
  }

  @Test
  void aMergeUpdatesAndInsertsInOneCommit() {
    merge(
        "(1, '2026-03-01', 11), (3, '2026-03-01', 30)",
        CommitLabel.ofSeveralWriters("merger", 1, "{\"n\":1}"));

    assertThat(rows())
        .containsExactly("[1,2026-03-01,11]", "[2,2026-03-02,20]", "[3,2026-03-01,30]");
    assertThat(format.version(table)).isEqualTo(2);
    assertThat(format.newest(table, new VersionRange(-1, 2), "merger"))
        .contains(new LabelledCommit(2, 1, "{\"n\":1}"));
  }

  @Test
  void aMergeHappensOncePerLabel() {
    merge("(1, '2026-03-01', 11)", CommitLabel.ofSeveralWriters("merger", 7, "{}"));
    merge("(1, '2026-03-01', 12)", CommitLabel.ofSeveralWriters("merger", 7, "{}"));
    merge("(1, '2026-03-01', 13)", CommitLabel.ofSeveralWriters("merger", 6, "{}"));

    assertThat(rows()).containsExactly("[1,2026-03-01,11]", "[2,2026-03-02,20]");
    assertThat(newestVersion("merger")).contains(7L);

    merge("(1, '2026-03-01', 14)", CommitLabel.ofSeveralWriters("another", 7, "{}"));
    merge("(1, '2026-03-01', 15)", CommitLabel.ofSeveralWriters("merger", 8, "{}"));

    assertThat(rows()).containsExactly("[1,2026-03-01,15]", "[2,2026-03-02,20]");
  }

  @Test
  void aMergeOfTheOnlyWriterHappensOncePerLabelInThisProcessAndTheNext() {
    merge("(1, '2026-03-01', 11)", CommitLabel.ofOneWriter("merger", 7));
    merge("(1, '2026-03-01', 12)", CommitLabel.ofOneWriter("merger", 7));
    formats
        .apply(spark)
        .merge(
            table,
            upsert("2026-03-01"),
            totals(spark, "(1, '2026-03-01', 13)"),
            CommitLabel.ofOneWriter("merger", 7));

    assertThat(rows()).containsExactly("[1,2026-03-01,11]", "[2,2026-03-02,20]");

    merge("(1, '2026-03-01', 14)", CommitLabel.ofOneWriter("merger", 8));

    assertThat(rows()).containsExactly("[1,2026-03-01,14]", "[2,2026-03-02,20]");
    assertThat(newestVersion("merger")).contains(8L);
  }

  @Test
  void aMergesLabelIsNotThatOfTheNextCommit() {
    merge("(1, '2026-03-01', 11)", CommitLabel.ofSeveralWriters("merger", 7, "{}"));
    format.append(
        table,
        totals(spark, "(4, '2026-03-01', 40)"),
        CommitLabel.ofSeveralWriters("writer", 1, "{}"));

    assertThat(format.newest(table, new VersionRange(2, 3), "merger")).isEmpty();
    assertThat(format.newest(table, new VersionRange(2, 3), "writer"))
        .contains(new LabelledCommit(3, 1, "{}"));
  }

  @Test
  void aMergeThatChangesNothingStillLeavesItsLabel() {
    MergeStatement none =
        new MergeStatement(
            r ->
                "MERGE INTO %s t USING %s s ON t.id = s.id WHEN MATCHED AND t.total < 0 THEN DELETE"
                    .formatted(r.target(), r.source()));

    format.merge(
        table,
        none,
        totals(spark, "(1, '2026-03-01', 11)"),
        CommitLabel.ofSeveralWriters("merger", 1, "{\"changed\":0}"));

    assertThat(rows()).containsExactly("[1,2026-03-01,10]", "[2,2026-03-02,20]");
    assertThat(format.newest(table, new VersionRange(1, format.version(table)), "merger"))
        .map(LabelledCommit::message)
        .contains("{\"changed\":0}");
  }

  @Test
  void aMergeThatBreaksACheckChangesNothing() {
    assertThatThrownBy(
            () ->
                merge(
                    "(1, '2026-03-01', 11), (3, '2026-03-01', 0)",
                    CommitLabel.ofSeveralWriters("merger", 1, "{}")))
        .hasStackTraceContaining("total_is_positive");

    assertThat(rows()).containsExactly("[1,2026-03-01,10]", "[2,2026-03-02,20]");
    assertThat(newestVersion("merger")).isEmpty();
  }

  @Test
  void twoSourceRowsForOneTargetRowAreRefused() {
    assertThatThrownBy(
            () ->
                merge(
                    "(1, '2026-03-01', 11), (1, '2026-03-01', 12)",
                    CommitLabel.ofSeveralWriters("merger", 1, "{}")))
        .isInstanceOf(Exception.class)
        .isNotInstanceOf(ConflictException.class);

    assertThat(rows()).containsExactly("[1,2026-03-01,10]", "[2,2026-03-02,20]");
  }

  @Test
  void aMergeThatIsOvertakenInItsPartitionThrowsAndChangesNothing() throws Exception {
    assertThatThrownBy(() -> slowMergeOvertakenBy("(1, '2026-03-01', 12)", "2026-03-01"))
        .isInstanceOf(ConflictException.class)
        .hasMessage(
            "Could not merge into "
                + table
                + ": another writer committed first. Nothing was changed; run again.");

    assertThat(rows()).containsExactly("[1,2026-03-01,12]", "[2,2026-03-02,20]");
    assertThat(newestVersion("slow")).isEmpty();

    merge("(1, '2026-03-01', 11)", CommitLabel.ofSeveralWriters("slow", 1, "{}"));

    assertThat(rows()).as("run again").containsExactly("[1,2026-03-01,11]", "[2,2026-03-02,20]");
  }

  @Test
  void mergesIntoOtherPartitionsDoNotMeet() throws Exception {
    slowMergeOvertakenBy("(2, '2026-03-02', 22)", "2026-03-02");

    assertThat(rows()).containsExactly("[1,2026-03-01,11]", "[2,2026-03-02,22]");
    assertThat(newestVersion("slow")).contains(1L);
    assertThat(newestVersion("quick")).contains(1L);
  }

  /** Where the first evaluation of a source waits; it may be evaluated more than once. */
  private static final class Overtaking {
    private static volatile AtomicBoolean first = new AtomicBoolean(true);
    private static volatile CountDownLatch reading = new CountDownLatch(1);
    private static volatile CountDownLatch overtaken = new CountDownLatch(1);

    private static void prepare() {
      first = new AtomicBoolean(true);
      reading = new CountDownLatch(1);
      overtaken = new CountDownLatch(1);
    }

    private static long waiting(long id) throws InterruptedException {
      if (first.getAndSet(false)) {
        reading.countDown();
        overtaken.await();
      }
      return id;
    }
  }

  @Test
  void whatASessionWritesWhileItMergesIsNotTakenForThatMerge() throws Exception {
    TablePath other = new TablePath(directory.resolve("other").toString());
    format.create(other, TOTALS);

    whileAMergeReads(
        () -> {
          format.append(other, totals(spark, "(1, '2026-03-01', 10)"));
          format.append(other, totals(spark, "(2, '2026-03-01', 20)"));
        });

    assertThat(format.read(other).count()).isEqualTo(2);
    assertThat(format.newest(other, new VersionRange(0, 2), "slow")).isEmpty();
    assertThat(newestVersion("slow")).contains(1L);
  }

  /** Rows with a total of 100 and more are protected. */
  private static Upsert upsertInto(String day) {
    return new Upsert(
        1,
        new MergeStatement(
            relations ->
                """
                MERGE INTO %s t
                USING %s s
                ON t.day IN (DATE'%s') AND t.id = s.id
                WHEN MATCHED AND t.total < 100 THEN UPDATE SET t.total = s.total
                WHEN NOT MATCHED THEN INSERT (id, day, total) VALUES (s.id, s.day, s.total)"""
                    .formatted(relations.target(), relations.source(), day)),
        "t.day IN (DATE'%s')".formatted(day),
        List.of("id"),
        "total >= 100",
        "false");
  }

  private void upsert(String values, CommitLabel label) {
    format.upsert(table, upsertInto("2026-03-01"), totals(spark, values), label);
  }

  @Test
  void anUpsertReplacesAndAddsRowsInOneCommit() {
    upsert(
        "(1, '2026-03-01', 11), (3, '2026-03-01', 30)",
        CommitLabel.ofSeveralWriters("upserter", 1, "{\"n\":1}"));
    upsert("(1, '2026-03-01', 12)", CommitLabel.ofOneWriter("stream", 1));

    assertThat(rows())
        .containsExactly("[1,2026-03-01,12]", "[2,2026-03-02,20]", "[3,2026-03-01,30]");
    assertThat(format.version(table)).isEqualTo(3);
    assertThat(format.newest(table, new VersionRange(-1, 3), "upserter"))
        .contains(new LabelledCommit(2, 1, "{\"n\":1}"));
    assertThat(newestVersion("stream")).contains(1L);
  }

  @Test
  void anUpsertHappensOncePerLabel() {
    for (CommitLabel label :
        List.of(
            CommitLabel.ofSeveralWriters("upserter", 7, "{}"),
            CommitLabel.ofOneWriter("stream", 7))) {
      upsert("(1, '2026-03-01', 11)", label);
      long version = format.version(table);

      upsert("(1, '2026-03-01', 12)", label);
      formats
          .apply(spark)
          .upsert(table, upsertInto("2026-03-01"), totals(spark, "(1, '2026-03-01', 13)"), label);

      assertThat(rows()).containsExactly("[1,2026-03-01,11]", "[2,2026-03-02,20]");
      assertThat(format.version(table)).isEqualTo(version);
    }
  }

  @Test
  void aProtectedRowStaysAndItsPlaceIsTaken() {
    upsert("(1, '2026-03-01', 100), (3, '2026-03-01', 30)", CommitLabel.ofOneWriter("stream", 1));

    upsert(
        "(1, '2026-03-01', 11), (3, '2026-03-01', 31), (4, '2026-03-01', 40)",
        CommitLabel.ofOneWriter("stream", 2));

    assertThat(rows())
        .containsExactly(
            "[1,2026-03-01,100]", "[2,2026-03-02,20]", "[3,2026-03-01,31]", "[4,2026-03-01,40]");
    assertThat(newestVersion("stream")).contains(2L);
  }

  @Test
  void anUpsertTakesNullsForEqual() {
    TablePath names = new TablePath(directory.resolve("names").toString());
    format.create(
        names,
        new TableDefinition(
            "Names.",
            List.of(
                optional("name", DataTypes.StringType, "Who"),
                required("total", DataTypes.LongType, "How much")),
            Optional.empty(),
            new TreeMap<>(),
            Set.of()));
    Upsert byName =
        new Upsert(
            2,
            new MergeStatement(
                relations -> {
                  throw new AssertionError("no row is protected");
                }),
            "t.total < 1000",
            List.of("name"),
            "false",
            "false");

    for (long total : new long[] {1, 2}) {
      format.upsert(
          names,
          byName,
          spark.sql(
              "SELECT name, CAST(%d AS BIGINT) AS total FROM VALUES ('a'), (null) AS t(name)"
                  .formatted(total)),
          CommitLabel.ofOneWriter("stream", total));
    }

    assertThat(format.read(names).orderBy("name").collectAsList())
        .extracting(Row::toString)
        .containsExactly("[null,2]", "[a,2]");
  }

  @Test
  void anUpsertThatBreaksACheckChangesNothing() {
    assertThatThrownBy(
            () ->
                upsert(
                    "(1, '2026-03-01', 11), (3, '2026-03-01', 0)",
                    CommitLabel.ofOneWriter("stream", 1)))
        .hasStackTraceContaining("total_is_positive");

    assertThat(rows()).containsExactly("[1,2026-03-01,10]", "[2,2026-03-02,20]");
    assertThat(newestVersion("stream")).isEmpty();
  }

  @Test
  void anUpsertThatIsOvertakenInItsPartitionThrowsAndChangesNothing() {
    assertThatThrownBy(
            () ->
                whileAnUpsertReads(
                    () ->
                        upsert(
                            "(1, '2026-03-01', 12)",
                            CommitLabel.ofSeveralWriters("quick", 1, "{}"))))
        .isInstanceOf(ConflictException.class)
        .hasMessage(
            "Could not upsert into "
                + table
                + ": another writer committed first. Nothing was changed; run again.");

    assertThat(rows()).containsExactly("[1,2026-03-01,12]", "[2,2026-03-02,20]");
    assertThat(newestVersion("slow")).isEmpty();
  }

  @Test
  void anUpsertThatAddsOnlyIsOvertakenByOneThatAddsToo() {
    replaceMarch1("(9, '2026-03-01', 90)", CommitLabel.ofSeveralWriters("emptier", 1, "{}"));

    assertThatThrownBy(
            () ->
                whileAnUpsertReads(
                    () -> format.append(table, totals(spark, "(1, '2026-03-01', 12)"))))
        .isInstanceOf(ConflictException.class);

    assertThat(rows())
        .containsExactly("[1,2026-03-01,12]", "[2,2026-03-02,20]", "[9,2026-03-01,90]");
  }

  @Test
  void anUpsertDoesNotMeetWritersOfOtherPartitions() throws Exception {
    whileAnUpsertReads(
        () -> {
          format.append(table, totals(spark, "(3, '2026-03-02', 30)"));
          format.merge(
              table,
              upsert("2026-03-02"),
              totals(spark, "(2, '2026-03-02', 22)"),
              CommitLabel.ofSeveralWriters("quick", 1, "{}"));
        });

    assertThat(rows())
        .containsExactly("[1,2026-03-01,11]", "[2,2026-03-02,22]", "[3,2026-03-02,30]");
  }

  private void replaceMarch1(String values, CommitLabel label) {
    format.replace(table, "`day` IN (DATE'2026-03-01')", totals(spark, values), label);
  }

  @Test
  void aReplacementSwapsAllRowsOfItsPartitionsInOneCommit() {
    replaceMarch1(
        "(3, '2026-03-01', 30), (4, '2026-03-01', 40)",
        CommitLabel.ofSeveralWriters("replacer", 1, "{\"n\":1}"));

    assertThat(rows())
        .containsExactly("[2,2026-03-02,20]", "[3,2026-03-01,30]", "[4,2026-03-01,40]");
    assertThat(format.newest(table, new VersionRange(1, format.version(table)), "replacer"))
        .contains(new LabelledCommit(2, 1, "{\"n\":1}"));
  }

  @Test
  void aReplacementByNoRowEmptiesThePartitions() {
    format.replace(
        table,
        "`day` IN (DATE'2026-03-01')",
        totals(spark, "(3, '2026-03-01', 30)").limit(0),
        CommitLabel.ofSeveralWriters("replacer", 1, "{}"));

    assertThat(rows()).containsExactly("[2,2026-03-02,20]");
    assertThat(newestVersion("replacer")).contains(1L);
  }

  @Test
  void aReplacementHappensOncePerLabel() {
    replaceMarch1("(1, '2026-03-01', 11)", CommitLabel.ofSeveralWriters("replacer", 7, "{}"));
    replaceMarch1("(1, '2026-03-01', 12)", CommitLabel.ofSeveralWriters("replacer", 7, "{}"));
    merge("(1, '2026-03-01', 13)", CommitLabel.ofSeveralWriters("replacer", 7, "{}"));

    assertThat(rows()).containsExactly("[1,2026-03-01,11]", "[2,2026-03-02,20]");
  }

  @Test
  void aReplacementByRowsOfOtherPartitionsIsRefusedAndChangesNothing() {
    assertThatThrownBy(
            () ->
                replaceMarch1(
                    "(1, '2026-03-01', 11), (5, '2026-03-05', 50)",
                    CommitLabel.ofSeveralWriters("replacer", 1, "{}")))
        .isInstanceOf(Exception.class)
        .isNotInstanceOf(ConflictException.class);

    assertThat(rows()).containsExactly("[1,2026-03-01,10]", "[2,2026-03-02,20]");
    assertThat(newestVersion("replacer")).isEmpty();
  }

  @Test
  void aReplacementThatIsOvertakenInItsPartitionThrowsAndChangesNothing() {
    assertThatThrownBy(
            () ->
                whileReading(
                    this::replaceMarch1Slowly,
                    () ->
                        merge(
                            "(3, '2026-03-01', 30)",
                            CommitLabel.ofSeveralWriters("quick", 1, "{}"))))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("another writer committed first. Nothing was changed; run again.");

    assertThat(rows())
        .containsExactly("[1,2026-03-01,10]", "[2,2026-03-02,20]", "[3,2026-03-01,30]");
    assertThat(newestVersion("slow")).isEmpty();
  }

  @Test
  void aReplacementDoesNotMeetAMergeIntoOtherPartitions() throws Exception {
    whileReading(
        this::replaceMarch1Slowly,
        () ->
            format.merge(
                table,
                upsert("2026-03-02"),
                totals(spark, "(2, '2026-03-02', 22), (3, '2026-03-02', 33)"),
                CommitLabel.ofSeveralWriters("quick", 1, "{}")));

    assertThat(rows())
        .containsExactly("[1,2026-03-01,11]", "[2,2026-03-02,22]", "[3,2026-03-02,33]");
    assertThat(newestVersion("slow")).contains(1L);
  }

  @Test
  void aCompactionElsewhereStopsNeitherAMergeNorAReplacement() throws Exception {
    Runnable compaction =
        () -> {
          format.append(table, totals(spark, "(3, '2026-03-02', 30)"));
          PartitionFiles march2 = format.files(table).get(1);
          assertThat(format.compact(table, march2).replaced()).isGreaterThan(1);
        };

    whileAMergeReads(compaction);
    format.append(table, totals(spark, "(4, '2026-03-02', 40)"));
    whileReading(
        slow ->
            format.replace(
                table,
                "`day` IN (DATE'2026-03-01')",
                slow,
                CommitLabel.ofSeveralWriters("replacer", 1, "{}")),
        compaction);

    assertThat(newestVersion("slow")).contains(1L);
    assertThat(newestVersion("replacer")).contains(1L);
  }

  @Test
  void aMergeIntoAPartitionThatIsCompactedMeanwhileThrowsAndChangesNothing() {
    format.append(table, totals(spark, "(3, '2026-03-01', 30)"));

    assertThatThrownBy(
            () -> whileAMergeReads(() -> format.compact(table, format.files(table).get(0))))
        .isInstanceOf(ConflictException.class);

    assertThat(rows())
        .containsExactly("[1,2026-03-01,10]", "[2,2026-03-02,20]", "[3,2026-03-01,30]");
    assertThat(newestVersion("slow")).isEmpty();
  }

  @Test
  void anAppendToATableThatIsCompactedMeanwhileHappens() throws Exception {
    format.append(table, totals(spark, "(3, '2026-03-01', 30)"));

    whileReading(
        slow -> format.append(table, slow, CommitLabel.ofSeveralWriters("slow", 1, "{}")),
        () -> format.compact(table, format.files(table).get(0)));

    assertThat(newestVersion("slow")).contains(1L);
    assertThat(format.read(table).count()).isEqualTo(4);
  }

  private void replaceMarch1Slowly(Dataset<Row> slow) {
    format.replace(
        table, "`day` IN (DATE'2026-03-01')", slow, CommitLabel.ofSeveralWriters("slow", 1, "{}"));
  }

  /** While a merge into the row (1, 2026-03-01) reads its source, another one commits. */
  private void slowMergeOvertakenBy(String values, String day) throws Exception {
    whileAMergeReads(
        () ->
            format.merge(
                table,
                upsert(day),
                totals(spark, values),
                CommitLabel.ofSeveralWriters("quick", 1, "{}")));
  }

  private void whileAMergeReads(Runnable otherWrites) throws Exception {
    whileReading(
        slow ->
            format.merge(
                table, upsert("2026-03-01"), slow, CommitLabel.ofSeveralWriters("slow", 1, "{}")),
        otherWrites);
  }

  private void whileAnUpsertReads(Runnable otherWrites) throws Exception {
    whileReading(
        slow ->
            format.upsert(
                table,
                upsertInto("2026-03-01"),
                slow,
                CommitLabel.ofSeveralWriters("slow", 1, "{}")),
        otherWrites);
  }

  /** While a write of the row (1, 2026-03-01, 11) reads it, others commit. */
  private void whileReading(Consumer<Dataset<Row>> slowWrite, Runnable otherWrites)
      throws Exception {
    Overtaking.prepare();
    UDF1<Long, Long> waiting = Overtaking::waiting;
    spark.udf().register("waiting", waiting, DataTypes.LongType);
    Dataset<Row> slow =
        spark
            .range(1, 2, 1, 1)
            .selectExpr("waiting(id) AS id", "DATE'2026-03-01' AS day", "11L AS total");
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> write = thread.submit(() -> slowWrite.accept(slow));
      assertThat(Overtaking.reading.await(60, TimeUnit.SECONDS)).as("the write reads").isTrue();
      otherWrites.run();
      Overtaking.overtaken.countDown();
      write.get();
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    } finally {
      Overtaking.overtaken.countDown();
      thread.shutdown();
    }
  }
}
