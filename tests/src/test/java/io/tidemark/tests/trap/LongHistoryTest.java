package io.tidemark.tests.trap;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.TablePath;
import io.tidemark.tests.harness.AlwaysOn;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.SameRows;
import io.tidemark.tests.harness.ShownRow;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.Event;
import io.tidemark.tests.oracle.Group;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Time that passes: trap 23 (a long history), a run a day against a run for ever, state. */
@Tag("spark")
class LongHistoryTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir Path directory;

  @Test
  void batchOfTwoDaysReadsTwoOfFourHundredPartitions() throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml);
    Instant firstDay = NOON.minus(Duration.ofDays(399));
    fill(pipeline, firstDay, 400);
    removeDataFilesExceptOf(pipeline, "window_date=2026-02-28", "window_date=2026-03-01");

    pipeline.land(
        Events.file(
            "a",
            Events.at("e-1", "A", NOON.minus(Duration.ofDays(1))),
            Events.at("e-2", "A", NOON)));
    // Would fail on any other partition: its file is gone.
    pipeline.stream();

    assertThat(newestCommit(pipeline, "remove")).isEqualTo(2);
    assertThat(newestCommit(pipeline, "add")).isEqualTo(2);
    // Updated, not inserted: each of the two days still has its one row.
    assertThat(
            aggregates(pipeline)
                .filter("window_date IN (DATE'2026-02-28', DATE'2026-03-01')")
                .groupBy("window_date")
                .count()
                .collectAsList())
        .extracting(row -> row.getLong(1))
        .containsExactly(1L, 1L);
  }

  @Test
  void runADayGivesTheSameTableAsOneThatNeverEndsAndStateStaysSmall() throws Exception {
    TestPipeline daily = TestPipeline.in(directory.resolve("daily"), yaml -> yaml);
    TestPipeline always = TestPipeline.in(directory.resolve("always"), yaml -> yaml);
    List<Long> stateRows = new ArrayList<>();
    try (AlwaysOn stream = always.alwaysOn()) {
      for (int day = 0; day < 7; day++) {
        List<Event> events = dayOfEvents(day);
        stream.arrive(Events.file("day-" + day, events));
        stateRows.add(stateRows(stream));
      }
    }
    for (int day = 0; day < 7; day++) {
      daily.land(Events.file("day-" + day, dayOfEvents(day)));
      daily.stream();
    }

    Map<Group, ShownRow> rows = daily.shown();
    assertThat(rows).hasSize(7 * 4).isEqualTo(always.shown());
    SameRows.assertSame(aggregates(always), aggregates(daily));
    // Only the last minutes of a day are open: two windows by aggregation and three events' ids.
    assertThat(stateRows).as("rows of state after each day").containsOnly(stateRows.get(0));
  }

  private static Dataset<Row> aggregates(TestPipeline pipeline) {
    return pipeline.format().read(pipeline.tables().aggregates());
  }

  /** Four events, a key each, a minute apart. */
  private static List<Event> dayOfEvents(int day) {
    Instant begin = NOON.plus(Duration.ofDays(day));
    return IntStream.range(0, 4)
        .mapToObj(i -> Events.at(day + "-" + i, "k" + i, begin.plusSeconds(60L * i)))
        .toList();
  }

  private static long stateRows(AlwaysOn stream) {
    return Arrays.stream(stream.aggregate().lastProgress().stateOperators())
        .mapToLong(operator -> operator.numRowsTotal())
        .sum();
  }

  /** A row of key A at noon for each day. */
  private static void fill(TestPipeline pipeline, Instant firstDay, int days) {
    Dataset<Row> empty = pipeline.read(pipeline.tables().aggregates());
    Column start = lit(firstDay).plus(expr("make_interval(0, 0, 0, CAST(id AS INT), 0, 0, 0)"));
    Dataset<Row> starts = pipeline.spark().range(0, days, 1, 1).withColumn("window_start", start);
    Map<String, Column> values =
        Map.of(
            "window_start", col("window_start"),
            "window_end", col("window_start").plus(expr("INTERVAL 1 MINUTE")),
            "key", lit("A"),
            "window_date", col("window_start").cast("date"),
            "event_count", lit(1L),
            "version", lit(0L),
            "values", lit(1L));
    Column[] columns =
        Arrays.stream(empty.schema().fields())
            .map(
                field ->
                    values
                        .getOrDefault(field.name(), lit(null))
                        .cast(field.dataType())
                        .as(field.name()))
            .toArray(Column[]::new);
    pipeline
        .format()
        .append(
            pipeline.tables().aggregates(),
            starts.select(columns),
            CommitLabel.ofOneWriter("history", 0));
  }

  private static void removeDataFilesExceptOf(TestPipeline pipeline, String... partitions)
      throws IOException {
    try (var files = Files.walk(Path.of(pipeline.tables().aggregates().value()))) {
      List<Path> others =
          files
              .filter(file -> file.toString().endsWith(".parquet"))
              .filter(file -> !file.toString().contains("_delta_log"))
              .filter(file -> Arrays.stream(partitions).noneMatch(file.toString()::contains))
              .toList();
      assertThat(others).hasSize(398);
      for (Path other : others) {
        Files.delete(other);
      }
    }
  }

  /** How many actions of a kind the newest commit to the aggregates has. */
  private static long newestCommit(TestPipeline pipeline, String action) throws IOException {
    TablePath aggregates = pipeline.tables().aggregates();
    String commit = "%020d.json".formatted(pipeline.format().version(aggregates));
    return Files.readAllLines(Path.of(aggregates.value(), "_delta_log", commit)).stream()
        .filter(line -> line.startsWith("{\"%s\":".formatted(action)))
        .count();
  }
}
