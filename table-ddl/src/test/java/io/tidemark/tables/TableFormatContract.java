package io.tidemark.tables;

import static io.tidemark.tables.ColumnDefinition.optional;
import static io.tidemark.tables.ColumnDefinition.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.tables.TableDefinition.Trait;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every {@link TableFormat} has to do: tables, appends, labels and versions. Streams are in
 * {@link TableFormatStreamContract}, merges in {@link TableFormatMergeContract}.
 *
 * <p>The table holds one row a payment: id, day (the partition), amount.
 */
public abstract class TableFormatContract {

  private static final TableDefinition PAYMENTS =
      new TableDefinition(
          "Payments; it's the table's comment.",
          List.of(
              required("id", DataTypes.LongType, "Who paid"),
              optional("day", DataTypes.DateType, "When: 'the' day"),
              optional("amount", DataTypes.LongType, "How much, in cents")),
          Optional.of("day"),
          new TreeMap<>(Map.of("amount_is_positive", "amount > 0")),
          Set.of(Trait.APPEND_ONLY, Trait.CHANGES_KEPT));

  private final SparkSession spark;
  private final Function<SparkSession, TableFormat> formats;
  private final TableFormat format;
  @TempDir Path directory;
  private TablePath table;

  /**
   * @param settings that a session needs for the format
   * @param format makes the format of a session
   */
  protected TableFormatContract(
      Map<String, String> settings, Function<SparkSession, TableFormat> format) {
    this.spark = TestSession.with(settings);
    this.formats = format;
    this.format = format.apply(spark);
  }

  @BeforeEach
  void create() {
    table = new TablePath(directory.resolve("payments").toString());
    format.create(table, PAYMENTS);
  }

  private Dataset<Row> payments(String values) {
    return spark.sql(
        "SELECT CAST(id AS BIGINT) AS id, CAST(day AS DATE) AS day, CAST(amount AS BIGINT) AS amount"
            + " FROM VALUES "
            + values
            + " AS t(id, day, amount)");
  }

  private void append(String values, String application, long version) {
    format.append(
        table, payments(values), CommitLabel.ofSeveralWriters(application, version, "{}"));
  }

  private void compact() {
    format.files(table).forEach(partition -> format.compact(table, partition));
  }

  private static List<String> texts(Dataset<Row> rows) {
    return rows.orderBy("id").collectAsList().stream().map(Row::toString).toList();
  }

  @Test
  void aTableExistsOnceItIsCreated() {
    assertThat(format.exists(new TablePath(directory.resolve("nothing").toString()))).isFalse();
    assertThat(format.exists(table)).isTrue();
    assertThat(format.version(table)).isZero();
    assertThat(format.read(table).count()).isZero();
  }

  @Test
  void createdAgainATableKeepsItsRows() {
    append("(1, '2026-03-01', 5)", "writer", 1);

    format.create(table, PAYMENTS);

    assertThat(texts(format.read(table))).containsExactly("[1,2026-03-01,5]");
    assertThat(format.version(table)).isEqualTo(1);
  }

  @Test
  void theStatementMakesTheSameTable() {
    TablePath other = new TablePath(directory.resolve("other").toString());

    spark.sql(format.ddl(other, PAYMENTS));

    assertThat(format.exists(other)).isTrue();
    assertThat(format.read(other).schema()).isEqualTo(format.read(table).schema());
  }

  @Test
  void theFormatsNameIsItsDataSource() {
    append("(1, '2026-03-01', 5)", "writer", 1);

    assertThat(texts(spark.read().format(format.name()).load(table.value())))
        .containsExactly("[1,2026-03-01,5]");
  }

  @Test
  void theRelationStandsInSql() {
    append("(1, '2026-03-01', 5)", "writer", 1);

    assertThat(texts(spark.sql("SELECT * FROM " + format.relation(table))))
        .containsExactly("[1,2026-03-01,5]");
  }

  @Test
  void describeShowsWhatColumnsAndTableAreFor() {
    List<String> described =
        spark.sql("DESCRIBE TABLE EXTENDED " + format.relation(table)).collectAsList().stream()
            .map(row -> row.getString(0) + " | " + row.getString(1) + " | " + row.getString(2))
            .toList();

    assertThat(described)
        .contains(
            "id | bigint | Who paid",
            "day | date | When: 'the' day",
            "amount | bigint | How much, in cents");
    assertThat(described).anyMatch(line -> line.contains("Payments; it's the table's comment."));
  }

  @Test
  void aNullInARequiredColumnIsRefusedAndNothingIsWritten() {
    assertThatThrownBy(() -> append("(1, '2026-03-01', 5), (NULL, '2026-03-01', 5)", "writer", 1))
        .hasStackTraceContaining("id");

    assertThat(format.version(table)).isZero();
    assertThat(format.read(table).count()).isZero();
  }

  @Test
  void aRowThatFailsACheckIsRefusedAndNothingIsWritten() {
    assertThatThrownBy(() -> append("(1, '2026-03-01', 5), (2, '2026-03-01', 0)", "writer", 1))
        .hasStackTraceContaining("amount_is_positive");

    assertThat(format.version(table)).isZero();
    assertThat(format.read(table).count()).isZero();
  }

  @Test
  void anAppendOnlyTableRefusesADelete() {
    append("(1, '2026-03-01', 5)", "writer", 1);
    MergeStatement delete =
        new MergeStatement(
            r ->
                "MERGE INTO %s t USING %s s ON t.id = s.id WHEN MATCHED THEN DELETE"
                    .formatted(r.target(), r.source()));

    assertThatThrownBy(
            () ->
                format.merge(
                    table,
                    delete,
                    payments("(1, '2026-03-01', 5)"),
                    CommitLabel.ofSeveralWriters("deleter", 1, "{}")))
        .isInstanceOf(Exception.class);

    assertThat(texts(format.read(table))).containsExactly("[1,2026-03-01,5]");
  }

  @Test
  void aVersionReadsAsItWas() {
    append("(1, '2026-03-01', 5)", "writer", 1);
    append("(2, '2026-03-02', 6)", "writer", 2);

    assertThat(format.version(table)).isEqualTo(2);
    assertThat(texts(format.read(table, 0))).isEmpty();
    assertThat(texts(format.read(table, 1))).containsExactly("[1,2026-03-01,5]");
    assertThat(texts(format.read(table, 2)))
        .containsExactly("[1,2026-03-01,5]", "[2,2026-03-02,6]");
  }

  @Test
  void eachRowKnowsTheVersionThatAddedItEvenAfterCompaction() {
    append("(1, '2026-03-01', 5)", "writer", 1);
    append("(2, '2026-03-01', 6), (3, '2026-03-02', 7)", "writer", 2);
    compact();
    append("(4, '2026-03-01', 8)", "writer", 3);

    assertThat(format.version(table)).isEqualTo(4);
    assertThat(texts(format.readWithCommitVersions(table, 4)))
        .containsExactly(
            "[1,2026-03-01,5,1]", "[2,2026-03-01,6,2]", "[3,2026-03-02,7,2]", "[4,2026-03-01,8,4]");
    assertThat(texts(format.readWithCommitVersions(table, 1)))
        .containsExactly("[1,2026-03-01,5,1]");
    assertThat(format.readWithCommitVersions(table, 4).columns())
        .containsExactly("id", "day", "amount", TableFormat.COMMIT_VERSION);
  }

  @Test
  void insertsAreWhatTheRangesCommitsAddedAndNoCompactionIs() {
    append("(1, '2026-03-01', 5)", "writer", 1);
    append("(2, '2026-03-01', 6)", "writer", 2);
    compact();
    append("(4, '2026-03-02', 8)", "writer", 3);

    assertThat(texts(format.inserts(table, new VersionRange(-1, 4)).rows()))
        .containsExactly("[1,2026-03-01,5,1]", "[2,2026-03-01,6,2]", "[4,2026-03-02,8,4]");
    assertThat(texts(format.inserts(table, new VersionRange(1, 3)).rows()))
        .containsExactly("[2,2026-03-01,6,2]");
    assertThat(texts(format.inserts(table, new VersionRange(2, 3)).rows())).isEmpty();
    assertThat(texts(format.inserts(table, new VersionRange(4, 4)).rows())).isEmpty();
    assertThat(format.inserts(table, new VersionRange(1, 3)).rows().columns())
        .isEqualTo(format.inserts(table, new VersionRange(4, 4)).rows().columns())
        .containsExactly("id", "day", "amount", TableFormat.COMMIT_VERSION);
  }

  @Test
  void insertsOfFilesThatAreGoneAreFoundInTheWholeTable() {
    append("(1, '2026-03-01', 5)", "writer", 1);
    append("(2, '2026-03-01', 6)", "writer", 2);
    compact();
    assertThat(format.inserts(table, new VersionRange(1, 3)).wholeTableBecause()).isEmpty();

    assertThat(format.removable(table, Duration.ofHours(1)).files()).as("too young").isZero();
    FileTotal removable = format.removable(table, Duration.ZERO);
    assertThat(removable.files()).isEqualTo(2);
    assertThat(removable.bytes()).isPositive();
    assertThat(format.vacuum(table, Duration.ZERO)).isEqualTo(removable);
    assertThat(format.removable(table, Duration.ZERO)).isEqualTo(FileTotal.NONE);

    assertThat(format.inserts(table, new VersionRange(1, 3)).wholeTableBecause()).isPresent();
    assertThat(texts(format.inserts(table, new VersionRange(1, 3)).rows()))
        .containsExactly("[2,2026-03-01,6,2]");
  }

  @Test
  void partitionsAreDeletedOncePerLabelAndLeaveNoTraceInTheInserts() {
    TablePath days = new TablePath(directory.resolve("days").toString());
    format.create(
        days,
        new TableDefinition(
            "Payments.",
            PAYMENTS.columns(),
            PAYMENTS.partitionColumn(),
            new TreeMap<>(),
            Set.of(Trait.CHANGES_KEPT)));
    assertThat(format.newestVersion(days, "retention")).isEmpty();
    format.append(days, payments("(1, '2026-03-01', 5), (2, '2026-03-02', 6), (3, NULL, 7)"));
    String old = "day < DATE'2026-03-02'";
    CommitLabel label = CommitLabel.ofSeveralWriters("retention", 20, "{\"kept\":2}");

    format.delete(days, old, label);

    assertThat(texts(format.read(days))).containsExactly("[2,2026-03-02,6]", "[3,null,7]");
    assertThat(format.newestVersion(days, "retention")).contains(20L);
    assertThat(format.newest(days, VersionRange.through(2), "retention"))
        .contains(new LabelledCommit(2, 20, "{\"kept\":2}"));
    format.append(days, payments("(4, '2026-03-01', 8)"));
    format.delete(days, old, label);
    format.delete(days, old, CommitLabel.ofSeveralWriters("retention", 19, "{}"));
    assertThat(format.version(days)).as("of equal or older labels only one happens").isEqualTo(3);
    assertThat(format.newestVersion(days, "retention")).contains(20L);

    assertThat(format.inserts(days, new VersionRange(1, 3)).wholeTableBecause()).isEmpty();
    assertThat(texts(format.inserts(days, new VersionRange(1, 3)).rows()))
        .containsExactly("[4,2026-03-01,8,3]");
    assertThat(texts(format.inserts(days, new VersionRange(1, 2)).rows())).isEmpty();
    format.vacuum(days, Duration.ZERO);
    assertThat(texts(format.inserts(days, new VersionRange(1, 3)).rows()))
        .as("no file of what was deleted is read")
        .containsExactly("[4,2026-03-01,8,3]");
    assertThat(texts(format.readWithCommitVersions(days, 1).filter("day >= DATE'2026-03-02'")))
        .as("an older version, without what is gone")
        .containsExactly("[2,2026-03-02,6,1]");
  }

  @Test
  void theFilesOfATableAreListedByPartition() {
    assertThat(format.files(table)).isEmpty();
    append("(1, '2026-03-01', 5), (2, NULL, 6)", "writer", 1);
    append("(3, '2026-03-01', 6), (4, '2026-03-02', 7)", "writer", 2);

    assertThat(format.files(table))
        .extracting(
            PartitionFiles::condition,
            PartitionFiles::start,
            PartitionFiles::files,
            PartitionFiles::smallFiles)
        .containsExactly(
            tuple(Optional.of("`day` IS NULL"), Optional.empty(), 1L, 1L),
            tuple(
                Optional.of("`day` = DATE'2026-03-01'"),
                Optional.of(Instant.parse("2026-03-01T00:00:00Z")),
                2L,
                2L),
            tuple(
                Optional.of("`day` = DATE'2026-03-02'"),
                Optional.of(Instant.parse("2026-03-02T00:00:00Z")),
                1L,
                1L));
    assertThat(format.files(table)).allMatch(partition -> partition.bytes() > 0);
  }

  @Test
  void theFilesOfATableByHourAndOfOneWithoutPartitionsAreListedToo() {
    TablePath hourly = new TablePath(directory.resolve("hourly").toString());
    format.create(hourly, table(optional("hour", DataTypes.TimestampType, "When")));
    TablePath whole = new TablePath(directory.resolve("whole").toString());
    format.create(whole, table());
    for (int i = 0; i < 2; i++) {
      format.append(hourly, spark.sql("SELECT 1L AS id, TIMESTAMP'2026-03-01 12:00:00Z' AS hour"));
      format.append(whole, spark.sql("SELECT 1L AS id"));
    }

    PartitionFiles noon = format.files(hourly).get(0);
    assertThat(noon.condition()).contains("`hour` = TIMESTAMP'2026-03-01 12:00:00.000000Z'");
    assertThat(noon.start()).contains(Instant.parse("2026-03-01T12:00:00Z"));
    assertThat(format.compact(hourly, noon)).isEqualTo(new Compaction(2, 1));
    PartitionFiles all = format.files(whole).get(0);
    assertThat(all.condition()).isEmpty();
    assertThat(format.compact(whole, all)).isEqualTo(new Compaction(2, 1));
    assertThat(format.read(whole).count()).isEqualTo(2);
  }

  private static TableDefinition table(ColumnDefinition... partition) {
    List<ColumnDefinition> columns =
        new ArrayList<>(List.of(required("id", DataTypes.LongType, "The number")));
    columns.addAll(List.of(partition));
    return new TableDefinition(
        "Numbers.",
        columns,
        Stream.of(partition).map(ColumnDefinition::name).findFirst(),
        new TreeMap<>(),
        Set.of());
  }

  @Test
  void aCompactionJoinsTheFilesOfItsPartitionOnlyAndTwiceIsOnce() {
    append("(1, '2026-03-01', 5), (2, NULL, 6)", "writer", 1);
    append("(3, '2026-03-01', 7), (4, NULL, 8)", "writer", 2);

    PartitionFiles unknownDay = format.files(table).get(0);
    assertThat(format.compact(table, unknownDay)).isEqualTo(new Compaction(2, 1));
    assertThat(format.version(table)).isEqualTo(3);
    assertThat(format.compact(table, unknownDay)).isEqualTo(new Compaction(0, 0));
    assertThat(format.version(table)).as("no commit").isEqualTo(3);

    assertThat(format.files(table)).extracting(PartitionFiles::files).containsExactly(1L, 2L);
    assertThat(texts(format.readWithCommitVersions(table, 3)))
        .containsExactly(
            "[1,2026-03-01,5,1]", "[2,null,6,1]", "[3,2026-03-01,7,2]", "[4,null,8,2]");
  }

  @Test
  void aVacuumMakesNoCommitAndDeletesNoFileThatIsInUse() {
    append("(1, '2026-03-01', 5)", "writer", 1);

    assertThat(format.vacuum(table, Duration.ZERO)).isEqualTo(FileTotal.NONE);

    assertThat(format.version(table)).isEqualTo(1);
    assertThat(texts(format.read(table))).containsExactly("[1,2026-03-01,5]");
  }

  @Test
  void theTimeOfACommitIsKnownAsLongAsItsLogIsKept() {
    Instant before = Instant.now().minusSeconds(1);
    append("(1, '2026-03-01', 5)", "writer", 1);

    assertThat(format.committedAt(table, 1).orElseThrow())
        .isBetween(before, Instant.now().plusSeconds(1));
    assertThat(format.committedAt(table, 2)).isEmpty();
  }

  @Test
  void anAppendHappensOncePerLabel() {
    append("(1, '2026-03-01', 5)", "writer", 7);
    append("(1, '2026-03-01', 5)", "writer", 7);
    append("(2, '2026-03-01', 5)", "writer", 6);
    append("(3, '2026-03-01', 5)", "another", 7);
    append("(4, '2026-03-01', 5)", "writer", 8);

    assertThat(format.read(table).select("id").orderBy("id").collectAsList())
        .extracting(row -> row.getLong(0))
        .containsExactly(1L, 3L, 4L);
  }

  @Test
  void anAppendOfTheOnlyWriterHappensOncePerLabelInThisProcessAndTheNext() {
    List<TableFormat> processes = List.of(format, formats.apply(spark));
    for (TableFormat process : processes) {
      process.append(table, payments("(1, '2026-03-01', 5)"), CommitLabel.ofOneWriter("only", 0));
      process.append(table, payments("(1, '2026-03-01', 5)"), CommitLabel.ofOneWriter("only", 0));
      process.append(
          table, payments("(2, '2026-03-01', 5)"), CommitLabel.ofOneWriter("another", 0));
    }
    formats
        .apply(spark)
        .append(table, payments("(3, '2026-03-01', 5)"), CommitLabel.ofOneWriter("only", 1));

    assertThat(texts(format.read(table)))
        .containsExactly("[1,2026-03-01,5]", "[2,2026-03-01,5]", "[3,2026-03-01,5]");
    assertThat(format.newest(table, new VersionRange(-1, 3), "only"))
        .contains(new LabelledCommit(3, 1, "{}"));
  }

  @Test
  void anAppendWithoutALabelHappensEachTime() {
    format.append(table, payments("(1, '2026-03-01', 5)"));
    format.append(table, payments("(1, '2026-03-01', 5)"));

    assertThat(texts(format.read(table))).containsExactly("[1,2026-03-01,5]", "[1,2026-03-01,5]");
  }

  @Test
  void anAppendWithoutARowStillLeavesItsLabel() {
    format.append(
        table,
        format.read(table).limit(0),
        CommitLabel.ofSeveralWriters("writer", 1, "{\"rows\":0}"));

    assertThat(format.version(table)).isEqualTo(1);
    assertThat(format.newest(table, new VersionRange(0, 1), "writer"))
        .contains(new LabelledCommit(1, 1, "{\"rows\":0}"));
  }

  @Test
  void theNewestCommitOfAnApplicationIsFoundInItsRangeOnly() {
    String message = "{\"why\":\"it's \\\"quoted\\\" größer 😀 \\\\ \"}";
    append("(1, '2026-03-01', 5)", "writer", 1);
    format.append(
        table,
        payments("(2, '2026-03-01', 5)"),
        CommitLabel.ofSeveralWriters("writer", 2, message));
    append("(3, '2026-03-01', 5)", "another", 1);
    Optional<LabelledCommit> second = Optional.of(new LabelledCommit(2, 2, message));
    Optional<LabelledCommit> first = Optional.of(new LabelledCommit(1, 1, "{}"));

    assertThat(format.newest(table, new VersionRange(-1, 3), "writer")).isEqualTo(second);
    assertThat(format.newest(table, new VersionRange(1, 2), "writer")).isEqualTo(second);
    assertThat(format.newest(table, new VersionRange(2, 3), "writer")).isEmpty();
    assertThat(format.newest(table, new VersionRange(0, 1), "writer")).isEqualTo(first);
    assertThat(format.newest(table, new VersionRange(-1, 3), "nobody")).isEmpty();
  }

  @Test
  void theBacklogIsWhatLaterCommitsAdded() {
    Instant before = Instant.now().minusSeconds(1);
    append("(1, '2026-03-01', 5)", "writer", 1);
    append("(2, '2026-03-01', 6), (3, '2026-03-02', 7)", "writer", 2);

    assertThat(format.backlog(table, new VersionRange(-1, 2)).rows()).isEqualTo(3);
    assertThat(format.backlog(table, new VersionRange(1, 2)).rows()).isEqualTo(2);
    assertThat(format.backlog(table, new VersionRange(2, 2)))
        .isEqualTo(new Backlog(0, Optional.empty()));
    Instant first = format.backlog(table, new VersionRange(0, 2)).oldestCommit().orElseThrow();
    Instant second = format.backlog(table, new VersionRange(1, 2)).oldestCommit().orElseThrow();
    assertThat(first).isAfter(before).isBefore(second);
    assertThat(second).isBefore(Instant.now().plusSeconds(1));
  }

  @Test
  void commitsOfThisSessionAreSafeHere() {
    assertThat(format.unsafeFor(table)).isEmpty();
  }
}
