package io.tidemark.spec.computation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.PipelineText;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which copy counts, seen in the recount's rows. */
@Tag("spark")
class CopiesTest {

  private static final PipelineSpec SPEC =
      PipelineText.good().with("keys", "[ad_id]").with("measures", "{paid: sum(cost)}").spec();

  @Test
  void ofSeveralCopiesTheSmallestPositionCounts() {
    assertThat(
            rows(
                Click.at("10:00:01", "c1").costing(300).read("b", 0),
                Click.at("10:00:02", "c1").costing(20).read("a", 10),
                Click.at("10:00:03", "c1").costing(1).read("a", 2)))
        .containsExactly(row("ad", 1, 1, 3));
  }

  @Test
  void theSmallestPositionCountsEvenIfItHasNoValue() {
    assertThat(
            rows(
                Click.at("10:00:01", "c1").costing(300).read("b", 0),
                Click.at("10:00:03", "c1").withoutCost().read("a", 0)))
        .containsExactly(
            "{\"window_start\":\"2026-03-01T10:00:00.000Z\",\"ad_id\":\"ad\","
                + "\"event_count\":1,\"memberships\":2}");
  }

  @Test
  void theSameIdUnderAnotherKeyOrInAnotherWindowCountsThereToo() {
    assertThat(
            rows(
                Click.at("10:00:01", "c1").costing(1).ofAd("a"),
                Click.at("10:00:01", "c1").costing(2).ofAd("b"),
                Click.at("10:00:01", "c1").costing(3).ofNoAd(),
                Click.at("10:00:01", "c1").costing(4).ofNoAd().read("later", 0),
                Click.at("10:00:01", "c1").costing(5).ofAd("")))
        .containsExactly(
            "{\"window_start\":\"2026-03-01T10:00:00.000Z\",\"paid\":3,\"event_count\":1,"
                + "\"memberships\":2}",
            row("", 5, 1, 1),
            row("a", 1, 1, 1),
            row("b", 2, 1, 1));
  }

  @Test
  void anImportedCopyCountsAsAnyOther() {
    assertThat(
            rows(
                Click.at("10:00:01", "c1").costing(300).read("b", 0).archivedBy(1),
                Click.at("10:00:01", "c1").costing(20).read("a", 0).importedBy(2),
                Click.at("10:00:02", "c2").costing(4).importedBy(2),
                Click.at("10:00:02", "c2").costing(4).importedBy(3)))
        .containsExactly(row("ad", 24, 2, 4));
  }

  @Test
  void withoutAnIdTheSameLineImportedAgainIsACopyOfItself() {
    PipelineSpec byPosition =
        PipelineText.good()
            .with("keys", "[ad_id]")
            .with("duplicates", "keep")
            .with("identical-lines", "one")
            .spec();

    assertThat(
            Aggregation.ofMemberships(
                    Memberships.of(
                        Click.archive(
                            Click.at("10:00:01", "c1").read("a", 0).archivedBy(1),
                            Click.at("10:00:01", "c1").read("a", 0).importedBy(2),
                            Click.at("10:00:01", "c1").read("a", 1).importedBy(2)),
                        byPosition),
                    byPosition,
                    StreamBounds.none(TestSession.shared()))
                .select("event_count", "memberships", "imported")
                .toJSON()
                .collectAsList())
        .containsExactly("{\"event_count\":2,\"memberships\":3,\"imported\":1}");
  }

  private static String row(String ad, long paid, long events, long memberships) {
    return ("{\"window_start\":\"2026-03-01T10:00:00.000Z\",\"ad_id\":\"%s\",\"paid\":%d,"
            + "\"event_count\":%d,\"memberships\":%d}")
        .formatted(ad, paid, events, memberships);
  }

  private static List<String> rows(Click... clicks) {
    return Aggregation.ofMemberships(
            Memberships.of(Click.archive(clicks), SPEC),
            SPEC,
            StreamBounds.none(TestSession.shared()))
        .select("window_start", "ad_id", "paid", "event_count", "memberships")
        .orderBy("window_start", "ad_id")
        .toJSON()
        .collectAsList();
  }
}
