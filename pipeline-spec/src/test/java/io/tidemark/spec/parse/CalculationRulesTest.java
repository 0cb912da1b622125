package io.tidemark.spec.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.Measure;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalculationRulesTest {

  @Test
  void theFilterIsAConditionOnTheEvent() {
    assertThat(PipelineText.good().with("filter", "cost + 1").problems())
        .containsExactly(
            "filter: is BIGINT, not BOOLEAN. Write a condition, e.g. ad_id IS NOT NULL.");
    assertThat(
            PipelineText.good()
                .with("derive", "{dear: cost > 1}")
                .with("filter", "dear")
                .problems())
        .containsExactly(
            "filter: 'dear' names the unknown column dear. Known columns: click_id, ad_id,"
                + " clicked_at, sent_at, cost.");
  }

  @Test
  void aDerivedColumnSeesOnlyThoseAboveIt() {
    assertThat(PipelineText.good().with("derive", "{a: cost + 1, b: a + 1}").problems()).isEmpty();
    assertThat(PipelineText.good().with("derive", "{b2: a2 + 1, a2: cost + 1}").problems())
        .containsExactly(
            "derive.b2: 'a2 + 1' names the unknown column a2. Known columns: click_id, ad_id,"
                + " clicked_at, sent_at, cost.");
  }

  @Test
  void aBrokenColumnIsReportedOnce() {
    assertThat(
            PipelineText.good()
                .with("derive", "{lucky: rand(), luckier: lucky + 1}")
                .with("keys", "[lucky]")
                .with("measures", "{m: sum(LUCKY)}")
                .problems())
        .containsExactly(
            "derive.lucky: 'rand()' is not deterministic: rand. A recount would give another value."
                + " Compute it from the event's own columns, for example with xxhash64.");
  }

  @Test
  void derivedColumnsHaveNewPlainNames() {
    assertThat(
            PipelineText.good()
                .with("derive", "{COST: '1', a-b: '1', _tidemark_x: '1'}")
                .problems())
        .containsExactly(
            "derive.COST: there is a column COST already (case is ignored). Rename this one.",
            "derive.a-b: 'a-b' is not a letter or _ followed by letters, digits or _. Give the"
                + " column a plain name.",
            "derive._tidemark_x: '_tidemark_x' begins with _tidemark, as Tidemark's own columns do."
                + " Rename the column.");
  }

  @Test
  void keysAreColumnsEachOnce() {
    assertThat(PipelineText.good().with("keys", "[ad, ad_id, AD_ID]").problems())
        .containsExactly(
            "keys[0]: 'ad' is not a column. Known columns: click_id, ad_id, clicked_at, sent_at,"
                + " cost.",
            "keys[2]: needs the column ad_id, which belongs to the key ad_id. Name each key once.");
    assertThat(PipelineText.good().with("keys", "ad_id").problems())
        .containsExactly(
            "keys: must be a list, but is the single value 'ad_id'. Write it in brackets: [a, b].");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "window_start",
        "WINDOW_END",
        "event_count",
        "version",
        "window_date",
        "window_hour",
        "status",
        "generation",
        "memberships"
      })
  void namesOfOurOwnColumnsAreTaken(String name) {
    assertThat(
            PipelineText.good()
                .withColumns(name + " INT")
                .with("keys", "[" + name + "]")
                .problems())
        .containsExactly(
            "keys[0]: needs the column %1$s, which belongs to Tidemark's own tables and views. Derive a column with another name, e.g. event_%1$s: %1$s."
                .formatted(name));
    assertThat(PipelineText.good().with("measures", "{" + name + ": count}").problems())
        .containsExactly(
            "measures.%1$s: needs the column %1$s, which belongs to Tidemark's own tables and views. Rename the measure."
                .formatted(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MAP<STRING, INT>",
        "ARRAY<INT>",
        "STRUCT<a: INT>",
        "VARIANT",
        "STRING COLLATE UNICODE_CI"
      })
  void whatCannotBeGroupedIsNoKey(String type) {
    assertThat(PipelineText.good().withColumns("k " + type).with("keys", "[k]").problems())
        .singleElement()
        .asString()
        .startsWith("keys[0]: column k is ")
        .contains(", whose values cannot be grouped and ordered one by one. ");
  }

  @Test
  void binaryIsNoKey() {
    assertThat(PipelineText.good().withColumns("k BINARY").with("keys", "[k]").problems())
        .containsExactly(
            "keys[0]: column k is BINARY, but a row is named by its keys in reports and on the"
                + " command line. Derive a text from it, e.g. hex(column), and use that.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sum(ad_id)         | 'ad_id' is STRING, not a number. Cast it with try_cast.",
        "sum(CAST(cost AS DECIMAL(29,1))) | 'CAST(cost AS DECIMAL(29,1))' is DECIMAL(29,1), whose"
            + " sum may need more than 38 digits. Cast it to DECIMAL(28,1).",
        "avg(clicked_at)    | 'clicked_at' is TIMESTAMP, not a number. Cast it with try_cast.",
        "max(array(cost))   | 'array(cost)' is ARRAY<BIGINT>, which has no smallest and largest"
            + " value. Use a number, text, date, timestamp or boolean.",
        "approx-distinct(clicked_at) | 'clicked_at' is TIMESTAMP, which the sketch does not take."
            + " Cast it to STRING, or to BIGINT if it is an integer.",
        "count(distinct ad_id) | 'count(distinct ad_id)' is not possible: an exact count of distinct"
            + " values cannot be merged. Write approx-distinct(ad_id).",
        "sum(cost) / count  | 'sum(cost) / count' is not one function of one expression. Compute on"
            + " the events, e.g. sum(a + b), or on the measures in a view on top.",
        "sum(cost) + sum(cost) | 'sum(cost) + sum(cost)' is not one function of one expression."
            + " Compute on the events, e.g. sum(a + b), or on the measures in a view on top.",
        "approx_distinct(ad_id) | 'approx_distinct' is not a function of measures. Did you mean"
            + " approx-distinct?",
        "median(cost)       | 'median' is not a function of measures. Known functions: count, sum,"
            + " min, max, avg, approx-distinct.",
        "sum                | sum needs an expression. Write for example sum(cost).",
        "max()              | max needs an expression. Write for example max(cost).",
        "sum(sum(cost))     | 'sum(cost)' aggregates with sum, but must be computed from one event."
            + " Put aggregates under measures, with one of the functions known there.",
        "sum(csot)          | 'csot' names the unknown column csot. Did you mean cost?",
      })
  void aMeasureThatCannotWorkIsRefused(String measure, String problem) {
    assertThat(PipelineText.good().with("measures", "{m: '" + measure + "'}").problems())
        .containsExactly("measures.m: " + problem);
  }

  @Test
  void aParenthesisInQuotesEndsNothing() {
    assertThat(measures("{m: \"count(nullif(ad_id, ')'))\", n: COUNT( * )}"))
        .containsExactly(
            new Measure.Count(new ColumnName("m"), Optional.of("nullif(ad_id, ')')")),
            new Measure.Count(new ColumnName("n"), Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{m: avg(cost), m_sum: count}              | m_sum: needs the column m_sum, which belongs to the measure m",
        "{M_COUNT: count, m: avg(cost)}            | m: needs the column m_count, which belongs to the measure M_COUNT",
        "{u: approx-distinct(ad_id), u_sketch: count} | u_sketch: needs the column u_sketch, which belongs to the measure u",
        "{ad_id: count}                            | ad_id: needs the column ad_id, which belongs to the key ad_id",
        "{a: count, A: count}                      | A: needs the column A, which belongs to the measure a",
      })
  void noTwoStoredColumnsShareAName(String measures, String problem) {
    assertThat(PipelineText.good().with("keys", "[ad_id]").with("measures", measures).problems())
        .containsExactly("measures." + problem + ". Rename the measure.");
  }

  @Test
  void aSumOfFloatingPointNumbersIsWarnedOf() {
    assertThat(
            PipelineText.good().withColumns("x DOUBLE").with("measures", "{m: avg(x)}").warnings())
        .containsExactly(
            "measures.m: 'x' is DOUBLE, whose sum depends on the order of addition: stream and"
                + " recount may differ in the last digits. Cast it to a DECIMAL for exact sums,"
                + " e.g. CAST(x AS DECIMAL(28,6)).");
  }

  private static List<Measure> measures(String yaml) {
    return PipelineText.good().with("measures", yaml).spec().measures();
  }
}
