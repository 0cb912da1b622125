package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.PipelineText;
import java.time.Duration;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class EventLatenessTest {

  private static final PipelineText PIPELINE = PipelineText.good().with("keys", "[ad_id]");
  private static final PipelineSpec BY_MINUTE = PIPELINE.spec();

  @Test
  void anEventIsBehindTheLatestOfAllEarlierCommitsAndNotOfItsOwn() {
    assertThat(
            behind(
                Click.at("12:00:10", "first of all").archivedBy(1),
                Click.at("12:02:30", "the latest").archivedBy(2),
                Click.at("12:00:40", "beside the latest").ofAd("beside").archivedBy(2),
                Click.at("12:01:00", "nothing new").ofAd("b").archivedBy(3),
                Click.at("12:02:00", "two commits after").ofAd("c").archivedBy(5)))
        .containsExactly(
            "{\"ad_id\":\"ad\"} 0s",
            "{\"ad_id\":\"ad\"} 0s",
            "{\"ad_id\":\"b\"} 90s",
            "{\"ad_id\":\"beside\"} 0s",
            "{\"ad_id\":\"c\"} 30s");
  }

  @Test
  void whatIsNotConsideredIsNeitherLateNorMakesOthersLate() {
    PipelineSpec spec = PIPELINE.with("filter", "cost > 0").spec();

    assertThat(
            behind(
                spec,
                Click.at("12:09:00", "bad").with(RecordProblem.FUTURE_EVENT_TIME).archivedBy(1),
                Click.at("12:08:00", "filtered").costing(0).archivedBy(1),
                Click.at("12:01:00", "good").archivedBy(1),
                Click.at("12:00:00", "late").ofNoAd().archivedBy(2)))
        .containsExactly("{\"ad_id\":\"ad\"} 0s", "{\"ad_id\":null} 60s");
  }

  @Test
  void whatWasImportedIsNeitherLateNorMakesOthersLate() {
    assertThat(
            behind(
                Click.at("12:09:00", "ahead of all").importedBy(1),
                Click.at("12:01:00", "the latest").archivedBy(2),
                Click.at("12:00:00", "history").ofNoAd().importedBy(3),
                Click.at("12:00:30", "late").ofAd("late").importedBy(3),
                Click.at("12:00:30", "late").ofAd("late").archivedBy(4)))
        .containsExactly("{\"ad_id\":\"ad\"} 0s", "{\"ad_id\":\"late\"} 30s");
  }

  @Test
  void aLaterCopyIsNoLateEvent() {
    assertThat(
            behind(
                Click.at("12:00:00", "c1").read("b", 0).archivedBy(1),
                Click.at("12:05:00", "c2").ofAd("other").archivedBy(2),
                Click.at("12:00:00", "c1").read("a", 0).archivedBy(3)))
        .containsExactly("{\"ad_id\":\"ad\"} 0s", "{\"ad_id\":\"other\"} 0s");
  }

  @Test
  void anEventIsLeftOutOnceItsWindowEndsByTheWatermark() {
    Dataset<Row> events =
        EventLateness.of(
            Click.archive(
                Click.at("12:02:30", "the latest").archivedBy(1),
                Click.at("12:00:50", "window ended 90 s before").archivedBy(2)),
            BY_MINUTE);

    assertThat(leftOut(events, Duration.ofSeconds(90))).isEqualTo(1);
    assertThat(leftOut(events, Duration.ofSeconds(90).plusMillis(1))).isZero();
  }

  /** Of [11:55, 12:05), [12:00, 12:10) at 12:09 with a delay of 4 minutes, only the first ended. */
  @Test
  void anEventOfTwoWindowsIsOneEventAndLeftOutOfEachByItself() {
    PipelineSpec spec = PIPELINE.with("window", "{hopping: {size: 10m, slide: 5m}}").spec();
    Dataset<Row> events =
        EventLateness.of(
            Click.archive(
                Click.at("12:09:00", "the latest").archivedBy(1),
                Click.at("12:01:00", "late").ofAd("late").archivedBy(2)),
            spec);

    assertThat(events.count()).isEqualTo(4);
    assertThat(events.filter(col(EventLateness.ONCE)).count()).isEqualTo(2);
    assertThat(leftOut(events, Duration.ofMinutes(4))).isEqualTo(1);
  }

  @Test
  void theSourceIsTheDirectoryOfTheFile() {
    assertThat(
            EventLateness.of(
                    Click.archive(Click.at("12:00:00", "c1").read("file:/in/dt=1/a.json", 0)),
                    BY_MINUTE)
                .select(EventLateness.SOURCE)
                .head()
                .getString(0))
        .isEqualTo("file:/in/dt=1");
  }

  private static long leftOut(Dataset<Row> events, Duration delay) {
    return events.filter(EventLateness.leftOutWith(delay)).count();
  }

  private static List<String> behind(Click... clicks) {
    return behind(BY_MINUTE, clicks);
  }

  private static List<String> behind(PipelineSpec spec, Click... clicks) {
    return EventLateness.of(Click.archive(clicks), spec)
        .selectExpr("concat(key, ' ', behind DIV 1000000, 's') AS t")
        .orderBy("t")
        .collectAsList()
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }
}
