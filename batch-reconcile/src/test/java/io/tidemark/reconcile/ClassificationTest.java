package io.tidemark.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.PipelineParser;
import io.tidemark.tables.TestSession;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows of one window, [10:00, 10:01): key, sum, weight and number of events. */
@Tag("spark")
class ClassificationTest {

  private static final PipelineSpec SPEC =
      PipelineParser.parse(
              "clicks.yaml",
              """
              pipeline: ad_clicks
              source: {kind: files, path: /data/clicks, format: json}
              event:
                schema: click_id STRING, ad_id STRING, clicked_at TIMESTAMP, sent_at TIMESTAMP, cost BIGINT, weight DOUBLE
                id: click_id
                time: clicked_at
                arrival: sent_at
              window: {tumbling: 1m}
              keys: [ad_id]
              measures: {paid: sum(cost), weight: sum(weight)}
              watermark: {bound: 10s, allowed-lateness: 60s}
              """)
          .spec();

  private final SparkSession spark = TestSession.with(Map.of());

  private Dataset<Row> rows(String more, String values) {
    return spark.sql(
        """
        SELECT
          TIMESTAMP'2026-03-01 10:00:00Z' AS window_start,
          TIMESTAMP'2026-03-01 10:01:00Z' AS window_end,
          ad_id,
          CAST(paid AS DECIMAL(30, 0)) AS paid,
          CAST(weight AS DOUBLE) AS weight,
          CAST(events AS BIGINT) AS event_count,
          %s,
          DATE'2026-03-01' AS window_date
        FROM VALUES %s AS t(ad_id, paid, weight, events, more)"""
            .formatted(more, values));
  }

  /** With the memberships behind each row as the last value; none is a copy or was left out. */
  private Dataset<Row> recounted(String values) {
    return rows(
        "CAST(more AS BIGINT) AS memberships, 0L AS duplicates, 0L AS left_out, 0L AS imported",
        values);
  }

  /** With the version of each row as the last value. */
  private Dataset<Row> table(String values) {
    return rows("CAST(more AS BIGINT) AS version", values);
  }

  private static List<String> kinds(Dataset<Row> recounted, Dataset<Row> table) {
    return Classification.of(recounted, table, SPEC)
        .selectExpr("concat_ws(' ', coalesce(ad_id, 'null'), kind) AS t")
        .orderBy("t")
        .collectAsList()
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }

  @Test
  void aRowIsOneOfFourKinds() {
    assertThat(
            kinds(
                recounted(
                    "('same', 5, 1.5, 2, 2), ('other sum', 5, 1.5, 2, 2), "
                        + "('other count', 5, 1.5, 2, 3), ('not in table', 5, 1.5, 2, 2)"),
                table(
                    "('same', 5, 1.5, 2, 0), ('other sum', 6, 1.5, 2, 0), "
                        + "('other count', 5, 1.5, 1, 0), ('not in recount', 5, 1.5, 2, 0)")))
        .containsExactly(
            "not in recount phantom",
            "not in table missing",
            "other count corrected",
            "other sum corrected",
            "same agree");
  }

  @Test
  void theVersionIsNoDifference() {
    assertThat(kinds(recounted("('ad', 5, 1.5, 2, 2)"), table("('ad', 5, 1.5, 2, 7)")))
        .containsExactly("ad agree");
  }

  @Test
  void theNullKeyIsOneGroupAndNotTheEmptyOne() {
    assertThat(
            kinds(
                recounted("(CAST(NULL AS STRING), 5, 1.5, 2, 2), ('only recounted', 5, 1.5, 2, 2)"),
                table("(CAST(NULL AS STRING), 5, 1.5, 2, 0), ('', 5, 1.5, 2, 0)")))
        .containsExactly(" phantom", "null agree", "only recounted missing");
  }

  @Test
  void nullMeasuresAreEqualToEachOtherAndToNothingElse() {
    assertThat(
            kinds(
                recounted(
                    "('both', CAST(NULL AS INT), CAST(NULL AS DOUBLE), 2, 2), "
                        + "('one', NULL, 1.5, 2, 2), ('other', 5, NULL, 2, 2)"),
                table(
                    "('both', CAST(NULL AS INT), CAST(NULL AS DOUBLE), 2, 0), "
                        + "('one', 5, 1.5, 2, 0), ('other', 5, 1.5, 2, 0)")))
        .containsExactly("both agree", "one corrected", "other corrected");
  }

  /** The tolerance is 1e-9 of the larger. */
  @Test
  void floatingSumsAgreeWithinTheirToleranceAndExactOnesOnlyExactly() {
    assertThat(
            kinds(
                recounted(
                    """
                    ('a: 0.9e-9 apart', 5, 1.0000000009D, 2, 2),
                    ('b: 1.1e-9 apart', 5, 1.0000000011D, 2, 2),
                    ('c: huge, order of terms', 5, 1.0000000000000001e300D, 2, 2),
                    ('d: both zero', 5, 0.0D, 2, 2),
                    ('e: zero and tiny', 5, 0.0D, 2, 2),
                    ('f: negative', 5, -1.0000000009D, 2, 2),
                    ('g: other sign', 5, 1.0D, 2, 2),
                    ('h: both NaN', 5, CAST('NaN' AS DOUBLE), 2, 2),
                    ('i: both infinite', 5, CAST('Infinity' AS DOUBLE), 2, 2),
                    ('j: NaN and number', 5, CAST('NaN' AS DOUBLE), 2, 2),
                    ('k: infinite and number', 5, CAST('Infinity' AS DOUBLE), 2, 2),
                    ('l: exact, near', 1000000000001L, 1.0D, 2, 2)"""),
                table(
                    """
                    ('a: 0.9e-9 apart', 5, 1.0D, 2, 0),
                    ('b: 1.1e-9 apart', 5, 1.0D, 2, 0),
                    ('c: huge, order of terms', 5, 1e300D, 2, 0),
                    ('d: both zero', 5, -0.0D, 2, 0),
                    ('e: zero and tiny', 5, 1e-300D, 2, 0),
                    ('f: negative', 5, -1.0D, 2, 0),
                    ('g: other sign', 5, -1.0D, 2, 0),
                    ('h: both NaN', 5, CAST('NaN' AS DOUBLE), 2, 0),
                    ('i: both infinite', 5, CAST('Infinity' AS DOUBLE), 2, 0),
                    ('j: NaN and number', 5, 1.0D, 2, 0),
                    ('k: infinite and number', 5, 1.0D, 2, 0),
                    ('l: exact, near', 1000000000000L, 1.0D, 2, 0)""")))
        .containsExactly(
            "a: 0.9e-9 apart agree",
            "b: 1.1e-9 apart corrected",
            "c: huge, order of terms agree",
            "d: both zero agree",
            "e: zero and tiny corrected",
            "f: negative agree",
            "g: other sign corrected",
            "h: both NaN agree",
            "i: both infinite agree",
            "j: NaN and number corrected",
            "k: infinite and number corrected",
            "l: exact, near corrected");
  }

  @Test
  void eachRowHasItsValuesBeforeAndAfter() {
    assertThat(
            Classification.of(
                    recounted("('changed', 5, 1.5, 2, 3), ('missing', 7, 2.5, 1, 1)"),
                    table("('changed', 6, 1.5, 2, 4), ('phantom', 8, 3.5, 1, 0)"),
                    SPEC)
                .orderBy("ad_id")
                .toJSON()
                .collectAsList())
        .containsExactly(
            identity("changed")
                + "\"after\":{\"paid\":5,\"weight\":1.5,\"event_count\":2},"
                + "\"before\":{\"paid\":6,\"weight\":1.5,\"event_count\":2,\"version\":4},"
                + "\"memberships\":3,\"duplicates\":0,\"left_out\":0,\"imported\":0,\"kind\":\"corrected\"}",
            identity("missing")
                + "\"after\":{\"paid\":7,\"weight\":2.5,\"event_count\":1},"
                + "\"memberships\":1,\"duplicates\":0,\"left_out\":0,\"imported\":0,\"kind\":\"missing\"}",
            identity("phantom")
                + "\"before\":{\"paid\":8,\"weight\":3.5,\"event_count\":1,\"version\":0},"
                + "\"memberships\":0,\"duplicates\":0,\"left_out\":0,\"imported\":0,\"kind\":\"phantom\"}");
  }

  private static String identity(String ad) {
    return "{\"window_start\":\"2026-03-01T10:00:00.000Z\","
        + "\"window_end\":\"2026-03-01T10:01:00.000Z\",\"ad_id\":\""
        + ad
        + "\",\"window_date\":\"2026-03-01\",";
  }
}
