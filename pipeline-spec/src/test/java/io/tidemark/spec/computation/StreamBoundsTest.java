package io.tidemark.spec.computation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.PipelineText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class StreamBoundsTest {

  private static final PipelineSpec SPEC = PipelineText.good().spec();
  private final SparkSession spark = TestSession.shared();

  /** Commit 12 was read when 12:01:10 was closed, commit 13 when nothing was. */
  private StreamBounds bounds(String now) {
    return new StreamBounds(
        spark.sql(
            """
            SELECT * FROM VALUES
              (12L, true, TIMESTAMP'2026-03-01 12:01:10Z', NULL),
              (13L, true, NULL, NULL)
              AS t(_tidemark_commit_version, streamed, closed_through, built_through)"""),
        now.isEmpty() ? Optional.empty() : Optional.of(Instant.parse("2026-03-01T" + now + "Z")));
  }

  @Test
  void anEventWhoseWindowHadEndedByTheBoundWasLeftOut() {
    assertThat(
            leftOut(
                bounds("12:05:00"),
                Click.at("12:00:59", "window ended at 12:01").archivedBy(12),
                Click.at("12:01:00", "window ends at 12:02").archivedBy(12),
                Click.at("12:00:30", "nothing was closed").archivedBy(13),
                Click.at("12:03:00", "not read yet, closed by now").archivedBy(14),
                Click.at("12:04:59", "not read yet, closed just now").archivedBy(14),
                Click.at("12:05:00", "not read yet, open now").archivedBy(14)))
        .containsExactly(
            "12:00 1 of 2", "12:01 0 of 1", "12:03 1 of 1", "12:04 1 of 1", "12:05 0 of 1");
  }

  @Test
  void whatARebuildHasCountedWasLeftOutByNoStream() {
    StreamBounds bounds =
        new StreamBounds(
            spark.sql(
                """
                SELECT * FROM VALUES
                  (12L, false, NULL, TIMESTAMP'2026-03-01 12:02:00Z'),
                  (13L, true, TIMESTAMP'2026-03-01 12:02:00Z', TIMESTAMP'2026-03-01 12:02:00Z'),
                  (14L, true, TIMESTAMP'2026-03-01 12:03:00Z', NULL)
                  AS t(_tidemark_commit_version, streamed, closed_through, built_through)"""),
            Optional.of(Instant.parse("2026-03-01T12:03:00Z")));

    assertThat(
            leftOut(
                bounds,
                Click.at("12:00:01", "built, never streamed").archivedBy(12),
                Click.at("12:01:01", "built, and streamed again").archivedBy(13),
                Click.at("12:01:02", "came after the build").archivedBy(14),
                Click.at("12:02:01", "behind the boundary, streamed").archivedBy(13)))
        .containsExactly("12:00 0 of 1", "12:01 1 of 2", "12:02 0 of 1");
  }

  @Test
  void whatIsNotReadYetIsNotLeftOutWhereNothingIsClosed() {
    assertThat(leftOut(bounds(""), Click.at("12:03:00", "c1").archivedBy(14)))
        .containsExactly("12:03 0 of 1");
    assertThat(leftOut(StreamBounds.none(spark), Click.at("12:03:00", "c1").archivedBy(12)))
        .containsExactly("12:03 0 of 1");
  }

  @Test
  void anEventWasLeftOutOnlyIfItsFirstArchivedCopyWas() {
    assertThat(
            leftOut(
                bounds("12:05:00"),
                Click.at("12:00:01", "c1").read("b", 0).archivedBy(14),
                Click.at("12:00:01", "c1").read("c", 0).archivedBy(13),
                Click.at("12:03:01", "c2").read("a", 0).archivedBy(13),
                Click.at("12:03:01", "c2").read("b", 0).archivedBy(14)))
        .containsExactly("12:00 0 of 1", "12:03 0 of 1");
  }

  @Test
  void anEventThatOnlyImportsBroughtIsImportedAndNotLeftOut() {
    assertThat(
            fates(
                bounds("12:05:00"),
                Click.at("12:00:01", "c1").importedBy(12),
                Click.at("12:00:01", "c1").read("again", 0).importedBy(14),
                Click.at("12:03:01", "c2").importedBy(14)))
        .containsExactly("12:00 0 left out, 1 imported of 1", "12:03 0 left out, 1 imported of 1");
  }

  @Test
  void anEventThatWasIngestedTooIsTheStreamsAndItsIngestedCopyDecides() {
    assertThat(
            fates(
                bounds("12:05:00"),
                Click.at("12:00:01", "in time").read("a", 0).importedBy(12),
                Click.at("12:00:01", "in time").read("b", 0).archivedBy(13),
                Click.at("12:03:01", "late").read("a", 0).importedBy(13),
                Click.at("12:03:01", "late").read("b", 0).archivedBy(14)))
        .containsExactly("12:00 0 left out, 0 imported of 1", "12:03 1 left out, 0 imported of 1");
  }

  private static List<String> fates(StreamBounds bounds, Click... clicks) {
    return texts(
        bounds,
        "concat(date_format(window_start, 'HH:mm'), ' ', left_out, ' left out, ', imported,"
            + " ' imported of ', event_count)",
        clicks);
  }

  private static List<String> leftOut(StreamBounds bounds, Click... clicks) {
    return texts(
        bounds,
        "concat_ws(' ', date_format(window_start, 'HH:mm'), left_out, 'of', event_count)",
        clicks);
  }

  private static List<String> texts(StreamBounds bounds, String text, Click... clicks) {
    return Aggregation.ofMemberships(Memberships.of(Click.archive(clicks), SPEC), SPEC, bounds)
        .selectExpr(text + " AS t")
        .orderBy("t")
        .collectAsList()
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }

  @Test
  void leftOutEventsAreListedOneByOne() {
    PipelineSpec spec = PipelineText.good().with("keys", "[ad_id]").spec();

    assertThat(
            LeftOutEvents.of(
                    Click.archive(
                        Click.at("12:00:59", "late").archivedBy(12),
                        Click.at("12:00:59", "late").read("again", 0).archivedBy(14),
                        Click.at("12:00:59", "late").read("import", 0).importedBy(11),
                        Click.at("12:00:59", "imported").importedBy(12),
                        Click.at("12:01:00", "in time").archivedBy(12),
                        Click.at("12:00:59", "bad").archivedBy(12).with(RecordProblem.TOO_OLD)),
                    spec,
                    bounds("12:05:00"))
                .toJSON()
                .collectAsList())
        .containsExactly(
            "{\"window_start\":\"2026-03-01T12:00:00.000Z\","
                + "\"window_end\":\"2026-03-01T12:01:00.000Z\",\"ad_id\":\"ad\","
                + "\"event_id\":{\"click_id\":\"late\"},"
                + "\"event_time\":\"2026-03-01T12:00:59.000Z\","
                + "\"arrival_time\":\"2026-03-01T12:00:59.000Z\",\"archive_version\":12,"
                + "\"closed_through\":\"2026-03-01T12:01:10.000Z\"}");
  }
}
