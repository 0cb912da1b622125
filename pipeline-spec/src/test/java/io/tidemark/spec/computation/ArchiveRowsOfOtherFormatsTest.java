package io.tidemark.spec.computation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.PipelineText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of CSV, and rows of Parquet. */
@Tag("spark")
class ArchiveRowsOfOtherFormatsTest {

  private static final String HEADER = "click_id,ad_id,clicked_at,sent_at,cost";
  private static final String GOOD = "c1,a,2026-03-01T10:00:00Z,2026-03-01T10:00:01Z,5";

  @TempDir Path directory;
  private Landing landing;

  @BeforeEach
  void land() {
    landing = new Landing(directory);
  }

  private static PipelineSpec csv(String options) {
    return PipelineText.good()
        .with("source", "{kind: files, path: /data, format: csv, options: " + options + "}")
        .spec();
  }

  @Test
  void aLineOfCsvIsReadByTheOrderOfTheSchema() throws IOException {
    landing.file("clicks.csv", GOOD);

    assertThat(landing.archived(csv("{}")))
        .containsExactly(
            "{\"event\":{\"click_id\":\"c1\",\"ad_id\":\"a\","
                + "\"clicked_at\":\"2026-03-01T10:00:00.000Z\","
                + "\"sent_at\":\"2026-03-01T10:00:01.000Z\",\"cost\":5},"
                + "\"event_time\":\"2026-03-01T10:00:00.000Z\","
                + "\"arrival_time\":\"2026-03-01T10:00:01.000Z\","
                + "\"source_position\":{\"path\":\"LANDING/clicks.csv\",\"record_hash\":\""
                + Landing.md5(GOOD)
                + "\"},\"event_date\":\"2026-03-01\"}");
  }

  @Test
  void eachFilesHeaderIsNoRecordWhetherQuotedOrNot() throws IOException {
    landing.file("plain.csv", HEADER, GOOD);
    landing.file("quoted.csv", "\"click_id\",\"ad_id\",\"clicked_at\",\"sent_at\",\"cost\"", GOOD);
    landing.file("marked.csv", "\uFEFF" + HEADER, GOOD);

    assertThat(landing.problems(csv("{header: true}"))).hasSize(3).containsOnlyNulls();
  }

  @Test
  void withoutTheOptionAHeaderIsAMalformedRecord() throws IOException {
    landing.file("clicks.csv", HEADER, GOOD);

    assertThat(landing.problems(csv("{}"))).containsExactly("malformed", null);
  }

  @Test
  void aHeaderUnderstandsTheSeparator() throws IOException {
    landing.file("clicks.csv", HEADER.replace(',', ';'), GOOD.replace(',', ';'));

    assertThat(landing.problems(csv("{header: true, sep: ';'}"))).hasSize(1).containsOnlyNulls();
  }

  @Test
  void quotedFieldsHoldSeparatorsAndQuotes() throws IOException {
    landing.file("clicks.csv", GOOD.replace(",a,", ",\"a, or \\\"b\\\"\","));

    assertThat(landing.events(csv("{}"), "ad_id")).containsExactly("a, or \"b\"");
    assertThat(landing.problems(csv("{}"))).containsOnlyNulls();
  }

  @Test
  void aLineOfCsvHasTheFirstProblemThatApplies() throws IOException {
    String table =
        """
        c1,a,2026-03-01T10:05:00Z,2026-03-01T10:00:00Z,5        | none
        c1,a,2026-03-01T10:05:00.000001Z,2026-03-01T10:00:00Z,5 | future-event-time
        c1,a,2026-03-01T10:00:00Z,2026-03-31T10:00:00Z,5        | none
        c1,a,2026-03-01T09:59:59.999999Z,2026-03-31T10:00:00Z,5 | too-old
        c1,a,,2026-03-01T10:00:00Z,5                            | null-event-time
        ,a,2026-03-01T10:00:00Z,2026-03-01T10:00:00Z,5          | null-event-id
        c1,a,2026-03-01T10:00:00Z,,5                            | null-arrival-time
        c1,a,2026-03-01T10:00:00Z,2026-03-01T10:00:00Z,five     | malformed
        c1,a,2026-03-01T10:00:00Z,2026-03-01T10:00:00Z          | malformed
        c1,a,2026-03-01T10:00:00Z,2026-03-01T10:00:00Z,5,6      | malformed
        c1,a,yesterday,2026-03-01T10:00:00Z,5                   | malformed
        """;
    List<String[]> cases = table.lines().map(line -> line.split("\\s*\\| ", -1)).toList();

    assertThat(landing.problemsOf(csv("{}"), cases.stream().map(c -> c[0]).toList()))
        .isEqualTo(cases.stream().map(c -> c[1]).toList());
  }

  @Test
  void rowsOfParquetAreNamedByTheirPlaceInTheFile() throws IOException {
    PipelineSpec spec = parquet();
    TestSession.shared()
        .sql(
            """
            SELECT * FROM VALUES
              ('c0', 'a', TIMESTAMP'2026-03-01 10:05:00Z', TIMESTAMP'2026-03-01 10:00:00Z'),
              ('c1', 'a', TIMESTAMP'2026-03-01 10:05:00.000001Z', TIMESTAMP'2026-03-01 10:00:00Z'),
              ('c2', 'a', TIMESTAMP'2026-03-01 10:00:00Z', TIMESTAMP'2026-03-31 10:00:00Z'),
              ('c3', 'a', TIMESTAMP'2026-03-01 09:59:59.999999Z', TIMESTAMP'2026-03-31 10:00:00Z'),
              ('c4', 'a', NULL, TIMESTAMP'2026-03-01 10:00:00Z'),
              (NULL, 'a', TIMESTAMP'2026-03-01 10:00:00Z', TIMESTAMP'2026-03-01 10:00:00Z'),
              ('c6', 'a', TIMESTAMP'2026-03-01 10:00:00Z', NULL)
              AS t(click_id, ad_id, clicked_at, sent_at)""")
        .coalesce(1)
        .write()
        .mode("append")
        .parquet(directory.toString());

    assertThat(landing.column(spec, "source_position.row_index"))
        .containsExactly("0", "1", "2", "3", "4", "5", "6");
    assertThat(landing.column(spec, "source_position.record_hash")).containsOnlyNulls();
    assertThat(landing.problems(spec))
        .containsExactly(
            null,
            "future-event-time",
            null,
            "too-old",
            "null-event-time",
            "null-event-id",
            "null-arrival-time");
    assertThat(landing.column(spec, ArchiveColumns.RAW))
        .as("a row of Parquet has no line")
        .containsOnlyNulls();
    assertThat(landing.events(spec, "cost"))
        .as("a column that the file has not is null")
        .containsOnlyNulls();
  }

  private static PipelineSpec parquet() {
    return PipelineText.good().with("source", "{kind: files, path: /data, format: parquet}").spec();
  }
}
