package io.tidemark.spec.computation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.Measure;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.PipelineText;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What each measure stores and shows of the clicks of one window. */
@Tag("spark")
class MeasureColumnsTest {

  private static final Dataset<Row> THREE_CLICKS =
      Click.archive(
          Click.at("10:00:00", "c1").costing(5),
          Click.at("10:00:01", "c2").costing(8).ofAd("other"),
          Click.at("10:00:02", "c3").withoutCost());
  private static final Dataset<Row> NO_VALUE =
      Click.archive(Click.at("10:00:00", "c1").withoutCost());

  @Test
  void aMeasureIsStoredInItsTypesAndShownAsOneValue() {
    assertTable(
        THREE_CLICKS,
        """
        count                            | m BIGINT                           | 3
        count(cost)                      | m BIGINT                           | 2
        sum(cost)                        | m DECIMAL(30,0)                    | 13
        sum(CAST(cost AS INT))           | m BIGINT                           | 13
        sum(CAST(cost AS TINYINT))       | m BIGINT                           | 13
        sum(CAST(cost AS DECIMAL(28,2))) | m DECIMAL(38,2)                    | 13.00
        sum(CAST(cost AS DOUBLE))        | m DOUBLE                           | 13.0
        sum(CAST(cost AS FLOAT))         | m DOUBLE                           | 13.0
        sum(1 / (cost - 5))              | m DOUBLE                           | 0.3333333333333333
        min(cost)                        | m BIGINT                           | 5
        max(cost)                        | m BIGINT                           | 8
        min(ad_id)                       | m STRING                           | ad
        max(clicked_at)                  | m TIMESTAMP                        | 2026-03-01 10:00:02
        avg(cost)                        | m_sum DECIMAL(30,0),m_count BIGINT | 6.5
        avg(CAST(cost AS DOUBLE))        | m_sum DOUBLE,m_count BIGINT        | 6.5
        approx-distinct(ad_id)           | m_sketch BINARY                    | 2
        approx-distinct(cost)            | m_sketch BINARY                    | 2
        """);
  }

  @Test
  void whereNoEventHasAValueAMeasureIsNullAndACountZero() {
    assertTable(
        NO_VALUE,
        """
        count                            | m BIGINT                           | 1
        count(cost)                      | m BIGINT                           | 0
        sum(cost)                        | m DECIMAL(30,0)                    | null
        min(cost)                        | m BIGINT                           | null
        max(cost)                        | m BIGINT                           | null
        avg(cost)                        | m_sum DECIMAL(30,0),m_count BIGINT | null
        approx-distinct(cost)            | m_sketch BINARY                    | 0
        """);
  }

  /** Lines of measure, stored columns and the value shown; all of them in one pipeline. */
  private static void assertTable(Dataset<Row> archive, String table) {
    List<String> measures = table.lines().map(line -> line.split(" +\\|", -1)[0]).toList();
    PipelineSpec spec = measured(measures);
    List<String> shown = shown(aggregated(spec, archive), spec, MeasureColumns::shown);
    StringBuilder actual = new StringBuilder();
    for (int i = 0; i < measures.size(); i++) {
      actual.append(
          "%-32s | %-34s | %s\n"
              .formatted(measures.get(i), stored(spec.measures().get(i)), shown.get(i)));
    }
    assertThat(actual.toString()).isEqualTo(table);
  }

  private static String stored(Measure measure) {
    return MeasureColumns.stored(measure).stream()
        .map(column -> column.name().value().replaceAll("^m\\d+", "m") + " " + column.type().sql())
        .collect(Collectors.joining(","));
  }

  @Test
  void aSumOfTheLargestNumbersDoesNotOverflow() {
    Dataset<Row> dear =
        Click.archive(
            Click.at("10:00:00", "c1").costing(Long.MAX_VALUE),
            Click.at("10:00:01", "c2").costing(Long.MAX_VALUE),
            Click.at("10:00:02", "c3").costing(Long.MAX_VALUE));

    assertThat(shown("sum(cost)", dear)).isEqualTo("27670116110564327421");
    assertThat(shown("avg(cost)", dear)).isEqualTo("9.223372036854776E18");
    assertThat(shown("sum(cost + 1)", dear)).as("cost + 1 is null").isEqualTo("null");
  }

  @Test
  void aSumOfTheLongestDecimalsDoesNotOverflow() {
    String measure = "sum(CAST('99999999999999999999999999.99' AS DECIMAL(28,2)))";

    assertThat(shown(measure, THREE_CLICKS)).isEqualTo("299999999999999999999999999.97");
  }

  @Test
  void aSketchHasTheSameBytesInWhateverOrderItsValuesCome() {
    Click[] clicks =
        Stream.iterate(0, i -> i + 1)
            .limit(5000)
            .map(i -> Click.at("10:00:00", "c" + i).ofAd("ad" + i % 3000))
            .toArray(Click[]::new);
    Dataset<Row> archive = Click.archive(clicks);

    assertThat(sketch(archive.repartition(7).sortWithinPartitions("event.click_id")))
        .isEqualTo(sketch(archive));
  }

  private static byte[] sketch(Dataset<Row> archive) {
    return aggregated(measured(List.of("approx-distinct(ad_id)")), archive)
        .select("m0_sketch")
        .head()
        .getAs(0);
  }

  @Test
  void aRollUpOfWindowsIsWhatOneWindowOverAllWouldShow() {
    List<String> measures =
        List.of(
            "count",
            "count(cost)",
            "sum(cost)",
            "sum(CAST(cost AS DOUBLE))",
            "min(cost)",
            "max(cost)",
            "avg(cost)",
            "approx-distinct(ad_id)");
    PipelineSpec byMinute = measured(measures);
    PipelineSpec bySecond = text(measures).with("window", "{tumbling: 1s}").spec();
    Dataset<Row> threeWindows = aggregated(bySecond, THREE_CLICKS);

    assertThat(threeWindows.count()).isEqualTo(3);
    assertThat(shown(threeWindows, bySecond, MeasureColumns::rolledUp))
        .isEqualTo(shown(aggregated(byMinute, THREE_CLICKS), byMinute, MeasureColumns::shown))
        .containsExactly("3", "2", "13", "13.0", "5", "8", "6.5", "2");
  }

  private static String shown(String measure, Dataset<Row> archive) {
    PipelineSpec spec = measured(List.of(measure));
    return shown(aggregated(spec, archive), spec, MeasureColumns::shown).get(0);
  }

  /** Each measure's value as text, of the only row. */
  private static List<String> shown(
      Dataset<Row> rows, PipelineSpec spec, Function<Measure, String> sql) {
    String[] values =
        spec.measures().stream()
            .map(measure -> sql.apply(measure) + " AS " + measure.name())
            .toArray(String[]::new);
    String[] texts =
        spec.measures().stream()
            .map(measure -> "coalesce(CAST(" + measure.name() + " AS STRING), 'null')")
            .toArray(String[]::new);
    Row row = rows.selectExpr(values).selectExpr(texts).head();
    return IntStream.range(0, row.size()).mapToObj(row::getString).toList();
  }

  private static PipelineSpec measured(List<String> measures) {
    return text(measures).spec();
  }

  private static PipelineText text(List<String> measures) {
    return PipelineText.good()
        .with(
            "measures",
            IntStream.range(0, measures.size())
                .mapToObj(i -> "m" + i + ": '" + measures.get(i).replace("'", "''") + "'")
                .collect(Collectors.joining(", ", "{", "}")));
  }

  private static Dataset<Row> aggregated(PipelineSpec spec, Dataset<Row> archive) {
    return Aggregation.ofMemberships(
        Memberships.of(archive, spec), spec, StreamBounds.none(TestSession.shared()));
  }

  @Test
  void everyStoredColumnSaysWhatItHolds() {
    PipelineSpec spec =
        PipelineText.good()
            .with(
                "measures",
                "{n: count, k: count(cost), s: sum(cost), lo: min(cost), hi: max(cost),"
                    + " mean: avg(cost), u: approx-distinct(ad_id)}")
            .spec();

    assertThat(
            spec.measures().stream()
                .map(MeasureColumns::stored)
                .flatMap(List::stream)
                .map(column -> column.name() + ": " + column.comment()))
        .containsExactly(
            "n: Number of events",
            "k: Number of events where cost is not null",
            "s: Sum of cost",
            "lo: Smallest cost",
            "hi: Largest cost",
            "mean_sum: Numerator of the mean of cost",
            "mean_count: Denominator of the mean of cost",
            "u_sketch: Theta sketch of the distinct values of ad_id");
  }
}
