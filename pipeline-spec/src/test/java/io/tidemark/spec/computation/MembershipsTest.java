package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.date_format;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.PipelineText;
import java.time.Instant;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class MembershipsTest {

  private static final PipelineText PIPELINE = PipelineText.good().with("keys", "[ad_id]");
  private static final PipelineSpec BY_MINUTE = PIPELINE.spec();

  @Test
  void anEventIsInTheOneTumblingWindowThatHoldsIt() {
    Dataset<Row> archive =
        Click.archive(
            Click.at("10:00:00", "at the start"),
            Click.at("10:00:59.999999", "at the end"),
            Click.at("10:01:00", "after it"));

    assertThat(windows(Memberships.of(archive, BY_MINUTE)))
        .containsExactly("10:00:00-10:01:00", "10:00:00-10:01:00", "10:01:00-10:02:00");
  }

  @Test
  void anEventIsInEveryHoppingWindowThatHoldsIt() {
    PipelineSpec spec = PIPELINE.with("window", "{hopping: {size: 10m, slide: 5m}}").spec();

    assertThat(windows(Memberships.of(Click.archive(Click.at("00:04:00", "c1")), spec)))
        .containsExactly("00:00:00-00:10:00", "23:55:00-00:05:00");
    assertThat(windows(Memberships.of(Click.archive(Click.at("10:05:00", "c1")), spec)))
        .containsExactly("10:00:00-10:10:00", "10:05:00-10:15:00");
  }

  @Test
  void hoppingWindowsOfAnOddSizeHoldAnEventMoreOrLessOften() {
    PipelineSpec spec = PIPELINE.with("window", "{hopping: {size: 10m, slide: 4m}}").spec();

    assertThat(windows(Memberships.of(Click.archive(Click.at("00:01:00", "c1")), spec)))
        .containsExactly("00:00:00-00:10:00", "23:52:00-00:02:00", "23:56:00-00:06:00");
    assertThat(windows(Memberships.of(Click.archive(Click.at("00:03:00", "c1")), spec)))
        .containsExactly("00:00:00-00:10:00", "23:56:00-00:06:00");
  }

  private static List<String> windows(Dataset<Row> memberships) {
    return memberships
        .select(
            date_format(col(Memberships.WINDOW + ".start"), "HH:mm:ss").as("start"),
            date_format(col(Memberships.WINDOW + ".end"), "HH:mm:ss").as("end"))
        .orderBy("start", "end")
        .collectAsList()
        .stream()
        .map(row -> row.getString(0) + "-" + row.getString(1))
        .toList();
  }

  @Test
  void recordsWithAProblemAndThoseThatTheFilterLeavesAsideAreInNoWindow() {
    PipelineSpec spec = PIPELINE.with("filter", "cost > 1").spec();

    assertThat(
            Memberships.of(
                    Click.archive(
                        Click.at("10:00:00", "counts").costing(2),
                        Click.at("10:00:00", "filtered").costing(1),
                        Click.at("10:00:00", "filter is null").withoutCost(),
                        Click.at("10:00:00", "bad").costing(2).with(RecordProblem.TOO_OLD)),
                    spec)
                .select("_tidemark_id_click_id")
                .collectAsList())
        .extracting(row -> row.getString(0))
        .containsExactly("counts");
  }

  @Test
  void derivedColumnsAreKeysOfTheirWindows() {
    PipelineSpec spec =
        PIPELINE
            .with("derive", "{dear: cost > 10, dearer: dear AND cost > 100}")
            .with("keys", "[dear, dearer]")
            .spec();

    assertThat(
            Memberships.of(Click.archive(Click.at("10:00:00", "c1").costing(11)), spec)
                .select("dear", "dearer")
                .toJSON()
                .collectAsList())
        .containsExactly("{\"dear\":true,\"dearer\":false}");
  }

  @Test
  void theIdentityIsWindowKeysAndIdOrElseThePosition() {
    assertThat(Memberships.identity(BY_MINUTE))
        .containsExactly("_tidemark_window", "ad_id", "_tidemark_id_click_id");
    assertThat(Memberships.identity(keepingDuplicates()))
        .containsExactly("_tidemark_window", "ad_id", "_tidemark_position");
    assertThat(Memberships.identity(withoutId()))
        .containsExactly("_tidemark_window", "ad_id", "_tidemark_position");
  }

  @Test
  void duplicatesKeepCountsEachPositionOnce() {
    assertThat(counted(keepingDuplicates())).containsExactly("{\"event_count\":2}");
  }

  @Test
  void withoutAnIdEachPositionCountsOnce() {
    assertThat(counted(withoutId())).containsExactly("{\"event_count\":2}");
  }

  /** One id at two positions, one of which the source handed over twice. */
  private static List<String> counted(PipelineSpec spec) {
    Dataset<Row> archive =
        Click.archive(
            Click.at("10:00:00", "c1").read("file", 0),
            Click.at("10:00:00", "c1").read("file", 1),
            Click.at("10:00:00", "c1").read("file", 1));
    return Aggregation.ofMemberships(
            Memberships.of(archive, spec), spec, StreamBounds.none(TestSession.shared()))
        .select("event_count")
        .toJSON()
        .collectAsList();
  }

  private static PipelineSpec keepingDuplicates() {
    return PIPELINE.with("duplicates", "keep").with("identical-lines", "one").spec();
  }

  private static PipelineSpec withoutId() {
    return PIPELINE
        .with(
            "event",
            "{schema: 'click_id STRING, ad_id STRING, clicked_at TIMESTAMP, sent_at TIMESTAMP,"
                + " cost BIGINT', time: clicked_at, arrival: sent_at}")
        .with("identical-lines", "one")
        .spec();
  }

  @Test
  void theLastWindowEndIsThatOfTheLastEventThatCounts() {
    Dataset<Row> archive =
        Click.archive(
            Click.at("10:00:30", "c1"),
            Click.at("23:59:00", "bad").with(RecordProblem.FUTURE_EVENT_TIME));

    assertThat(Memberships.lastWindowEnd(archive, BY_MINUTE))
        .contains(Instant.parse("2026-03-01T10:01:00Z"));
    assertThat(Memberships.lastWindowEnd(Click.archive(), BY_MINUTE)).isEmpty();
  }
}
