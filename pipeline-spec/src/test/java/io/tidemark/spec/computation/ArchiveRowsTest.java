package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.PipelineText;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of JSON, and what is common to all formats. */
@Tag("spark")
class ArchiveRowsTest {

  private static final String GOOD =
      "{\"click_id\":\"c1\",\"ad_id\":\"a\",\"clicked_at\":\"2026-03-01T10:00:00Z\",\"sent_at\":\"2026-03-01T10:00:01Z\",\"cost\":5}";

  @TempDir java.nio.file.Path directory;
  private Landing landing;

  @BeforeEach
  void land() {
    landing = new Landing(directory);
  }

  @Test
  void aGoodRecordIsArchivedWithItsTimesItsPositionAndItsDay() throws IOException {
    landing.file("clicks.jsonl", GOOD);

    assertThat(landing.archived(PipelineText.good().spec()))
        .containsExactly(
            "{\"event\":{\"click_id\":\"c1\",\"ad_id\":\"a\","
                + "\"clicked_at\":\"2026-03-01T10:00:00.000Z\","
                + "\"sent_at\":\"2026-03-01T10:00:01.000Z\",\"cost\":5},"
                + "\"event_time\":\"2026-03-01T10:00:00.000Z\","
                + "\"arrival_time\":\"2026-03-01T10:00:01.000Z\","
                + "\"source_position\":{\"path\":\"LANDING/clicks.jsonl\",\"record_hash\":\""
                + Landing.md5(GOOD)
                + "\"},\"event_date\":\"2026-03-01\"}");
  }

  @Test
  void aRecordWithAProblemKeepsItsLineAndHasNoDay() throws IOException {
    landing.file("clicks.jsonl", "no json");

    assertThat(landing.archived(PipelineText.good().spec()))
        .containsExactly(
            "{\"event\":{},\"source_position\":{\"path\":\"LANDING/clicks.jsonl\","
                + "\"record_hash\":\""
                + Landing.md5("no json")
                + "\"},\"problem\":\"malformed\",\"raw\":\"no json\"}");
  }

  /** Max-future-skew is 5 minutes, max-age 30 days; both limits are still admitted. */
  @Test
  void aRecordHasTheFirstProblemThatApplies() throws IOException {
    String table =
        """
        c1   | 2026-03-01T10:05:00Z        | 2026-03-01T10:00:00Z   | none
        c1   | 2026-03-01T10:05:00.000001Z | 2026-03-01T10:00:00Z   | future-event-time
        c1   | 2026-03-01T10:00:00Z        | 2026-03-31T10:00:00Z   | none
        c1   | 2026-03-01T09:59:59.999999Z | 2026-03-31T10:00:00Z   | too-old
        c1   | 0001-01-01T00:00:00Z        | 0001-01-01T00:00:00Z   | none
        c1   | 0000-12-31T23:59:59.999999Z | 0001-01-01T00:00:00Z   | null-event-time
        c1   | 9999-12-31T23:59:59Z        | 9999-12-31T23:59:59Z   | none
        c1   | 9999-12-31T23:59:59Z        | +10000-01-01T00:00:00Z | null-arrival-time
        c1   | 2026-03-01T10:00:00Z        | -10000-01-01T00:00:00Z | null-arrival-time
        c1   | +99999-01-01T00:00:00Z      | 2026-03-01T10:00:00Z   | null-event-time
        c1   | null                        | 2026-03-01T10:00:00Z   | null-event-time
        null | 2026-03-01T10:00:00Z        | 2026-03-01T10:00:00Z   | null-event-id
        c1   | 2026-03-01T10:00:00Z        | null                   | null-arrival-time
        null | null                        | null                   | null-event-time
        null | 2026-03-01T10:00:00Z        | null                   | null-event-id
        null | 2026-03-02T10:00:00Z        | 2026-03-01T10:00:00Z   | null-event-id
        c1   | yesterday                   | null                   | malformed
        """;
    List<List<String>> cases =
        table.lines().map(line -> List.of(line.split("\\s*\\|\\s*", -1))).toList();
    List<String> lines =
        cases.stream()
            .map(
                c ->
                    "{\"click_id\":%s,\"clicked_at\":%s,\"sent_at\":%s}"
                        .formatted(json(c.get(0)), json(c.get(1)), json(c.get(2))))
            .toList();

    assertThat(landing.problemsOf(PipelineText.good().spec(), lines))
        .isEqualTo(cases.stream().map(c -> c.get(3)).toList());
  }

  @Test
  void anImportedRecordIsArchivedLikeAnIngestedOneAndMarked() throws IOException {
    landing.file("clicks.jsonl", GOOD, at("2027-03-01T10:00:00Z"), "no json");
    PipelineSpec spec = PipelineText.good().spec();
    Dataset<Row> imported = landing.imported(spec, "i-1");

    assertThat(imported.filter(col(ArchiveColumns.IMPORT_ID).equalTo("i-1")).count()).isEqualTo(3);
    assertThat(imported.drop(ArchiveColumns.IMPORT_ID).toJSON().collectAsList())
        .isEqualTo(landing.rows(spec).toJSON().collectAsList());
  }

  @Test
  void historyIsNeverTooOldButMayLieInTheFuture() throws IOException {
    landing.file("clicks.jsonl", at("2016-03-01T10:00:00Z"), at("2026-03-01T10:05:02Z"));
    PipelineSpec spec = PipelineText.good().spec();

    assertThat(landing.problems(spec)).containsExactly("too-old", "future-event-time");
    assertThat(
            landing.imported(spec, "i-1").select(ArchiveColumns.PROBLEM).collectAsList().stream()
                .map(row -> row.get(0)))
        .containsExactly(null, "future-event-time");
  }

  private static String at(String time) {
    return GOOD.replace(
        "\"clicked_at\":\"2026-03-01T10:00:00Z\"", "\"clicked_at\":\"" + time + "\"");
  }

  private static String json(String value) {
    return value.equals("null") ? "null" : "\"" + value + "\"";
  }

  @Test
  void whatIsNoObjectOfTheSchemaIsMalformed() throws IOException {
    List<String> lines =
        List.of(
            "{\"click_id\":\"c1\"",
            "\"c1\"",
            "17",
            "null",
            "[" + GOOD + "]",
            "[" + GOOD + "," + GOOD + "]",
            "{\"click_id\":{\"nested\":1},\"cost\":\"five\"}",
            "{\"cost\":1.5}",
            "{\"cost\":9223372036854775808}");

    assertThat(landing.problemsOf(PipelineText.good().spec(), lines))
        .hasSize(9)
        .containsOnly("malformed");
  }

  @Test
  void blankLinesAreNoRecords() throws IOException {
    landing.file("clicks.jsonl", "", "   ", GOOD, "", "");

    assertThat(landing.problems(PipelineText.good().spec())).hasSize(1).containsOnlyNulls();
  }

  @Test
  void ofOneKeyTwiceInALineTheLastCounts() throws IOException {
    landing.file("clicks.jsonl", GOOD.replace("{", "{\"cost\":4,"));

    assertThat(landing.events(PipelineText.good().spec(), "cost")).containsExactly("5");
  }

  @Test
  void unknownFieldsAreLeftAside() throws IOException {
    landing.file("clicks.jsonl", GOOD.replace("{", "{\"user\":{\"id\":7},"));

    assertThat(landing.problems(PipelineText.good().spec())).containsOnlyNulls();
  }

  @Test
  void quotesNewlinesAndEverySignAreKept() throws IOException {
    landing.file(
        "clicks.jsonl", GOOD.replace("\"a\"", "\"say \\\"hi\\\"\\n\\tto größer 😀 \\u0000\\\\\""));

    assertThat(landing.events(PipelineText.good().spec(), "ad_id"))
        .containsExactly("say \"hi\"\n\tto größer 😀 \0\\");
  }

  @Test
  void identicalLinesOfOneFileShareAPositionAndOfTwoFilesDoNot() throws IOException {
    landing.file("one.jsonl", GOOD, GOOD);
    landing.file("two.jsonl", GOOD);

    assertThat(landing.positions(PipelineText.good().spec()))
        .containsExactly(
            "LANDING/one.jsonl " + Landing.md5(GOOD),
            "LANDING/one.jsonl " + Landing.md5(GOOD),
            "LANDING/two.jsonl " + Landing.md5(GOOD));
  }

  @Test
  void withoutAnArrivalColumnARecordArrivesWhenItsFileWasWritten() throws IOException {
    landing.file("clicks.jsonl", GOOD, GOOD.replace("10:00:00Z", "12:05:00.001Z"));
    landing.writtenAt("clicks.jsonl", "2026-03-01T12:00:00Z");

    var spec =
        PipelineText.good()
            .with(
                "event",
                "{schema: 'click_id STRING, clicked_at TIMESTAMP', id: click_id, time: clicked_at}")
            .spec();

    assertThat(landing.column(spec, ArchiveColumns.ARRIVAL_TIME))
        .containsExactly("2026-03-01 12:00:00", "2026-03-01 12:00:00");
    assertThat(landing.problems(spec)).containsExactly(null, "future-event-time");
  }

  @Test
  void theSourceTimestampIsReadAndJudgedByNobody() throws IOException {
    landing.file("clicks.jsonl", "{\"id\":\"c1\",\"at\":1772359200,\"version\":1772445600000}");

    var spec =
        PipelineText.good()
            .with(
                "event",
                "{schema: 'id STRING, at BIGINT, version BIGINT', id: id, "
                    + "time: {column: at, format: epoch-seconds}, "
                    + "arrival: {column: at, format: epoch-seconds}, "
                    + "source-timestamp: {column: version, format: epoch-millis}}")
            .spec();

    assertThat(landing.column(spec, ArchiveColumns.SOURCE_TIMESTAMP))
        .containsExactly("2026-03-02 10:00:00");
    assertThat(landing.problems(spec)).containsOnlyNulls();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "epoch-millis  | BIGINT        | 1772359200001                   | 2026-03-01 10:00:00.001",
        "epoch-millis  | BIGINT        | 253402300799000 253402300800000 | 9999-12-31 23:59:59, null",
        "epoch-millis  | BIGINT        | 9223372036854775807             | null",
        "epoch-seconds | BIGINT        | 1772359200 9223372036854775807  | 2026-03-01 10:00:00, null",
        "epoch-seconds | DECIMAL(20,6) | 1772359200.000001         | 2026-03-01 10:00:00.000001",
        "epoch-seconds | DOUBLE        | 1772359200.5 1e300        | 2026-03-01 10:00:00.5, null",
        "'dd/MM/yyyy'  | STRING        | \"01/03/2026\" \"2026-03-01\" | 2026-03-01 00:00:00, null",
      })
  void timesAreReadByTheirFormat(String format, String type, String values, String times)
      throws IOException {
    String[] lines = values.split(" ", -1);
    for (int i = 0; i < lines.length; i++) {
      landing.file(i + ".jsonl", "{\"id\":\"c1\",\"at\":" + lines[i] + "}");
    }

    var spec =
        PipelineText.good()
            .with(
                "event",
                "{schema: 'id STRING, at %s', id: id, time: {column: at, format: %s}}"
                    .formatted(type, format))
            .spec();

    assertThat(String.join(", ", landing.column(spec, ArchiveColumns.EVENT_TIME))).isEqualTo(times);
  }

  @Test
  void rowsHaveTheArchivesColumnsInOrder() throws IOException {
    landing.file("clicks.jsonl", GOOD);
    var spec = PipelineText.good().spec();

    assertThat(List.of(landing.rows(spec).columns()))
        .isEqualTo(List.of(ArchiveColumns.schema(spec.event(), spec.source()).fieldNames()));
  }
}
