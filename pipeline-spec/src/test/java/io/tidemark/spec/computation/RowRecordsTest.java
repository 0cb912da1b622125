package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.PipelineText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records of the window [12:00, 12:01) and the key "ad", told by their event ids. */
@Tag("spark")
class RowRecordsTest {

  private static final PipelineText PIPELINE = PipelineText.good().with("keys", "[ad_id]");
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final SparkSession spark = TestSession.shared();

  /** Commit 1 was read when nothing was closed, commit 2 when 12:01 was; 3 is not read yet. */
  private StreamBounds bounds() {
    return new StreamBounds(
        spark.sql(
            """
            SELECT * FROM VALUES
              (1L, true, NULL, NULL), (2L, true, TIMESTAMP'2026-03-01 12:01:00Z', NULL)
              AS t(_tidemark_commit_version, streamed, closed_through, built_through)"""),
        Optional.empty());
  }

  @Test
  void eachRecordOfTheRowHasItsFate() {
    assertThat(
            fates(
                PIPELINE.with("filter", "cost > 0").spec(),
                Click.at("12:00:00", "in time").archivedBy(1),
                Click.at("12:00:59", "late").archivedBy(2),
                Click.at("12:00:01", "waits").archivedBy(3),
                Click.at("12:00:01", "history").importedBy(2),
                Click.at("12:00:01", "more history").importedBy(3),
                Click.at("12:00:02", "free").costing(0).archivedBy(1),
                Click.at("12:00:03", "old").with(RecordProblem.TOO_OLD).archivedBy(1)))
        .containsExactly(
            "free filtered",
            "history imported",
            "in time counted",
            "late left-out",
            "more history imported",
            "old rejected",
            "waits waiting");
  }

  @Test
  void otherWindowsKeysAndMalformedRecordsAreNotOfTheRow() {
    assertThat(
            fates(
                PIPELINE.spec(),
                Click.at("11:59:59.999", "before").archivedBy(1),
                Click.at("12:01:00", "after").archivedBy(1),
                Click.at("12:00:00", "other").ofAd("other").archivedBy(1),
                Click.at("12:00:00", "no ad").ofNoAd().archivedBy(1),
                Click.at("12:00:00", "bad").with(RecordProblem.MALFORMED).archivedBy(1)))
        .isEmpty();
  }

  @Test
  void ofCopiesTheSmallestPositionIsCountedAndTheFirstArchivedDecidesWhetherItWasLate() {
    Click[] clicks = {
      Click.at("12:00:00", "c1").read("b", 7).archivedBy(1),
      Click.at("12:00:00", "c1").read("a", 3).archivedBy(2)
    };

    assertThat(
            records(PIPELINE.spec(), clicks)
                .selectExpr(
                    "concat_ws(', ', fate, position, counted_position, archive_version) AS t")
                .orderBy("t")
                .collectAsList())
        .extracting(row -> row.getString(0))
        .containsExactly("copy, b row 7, a row 3, 1", "counted, a row 3, a row 3, 2");
  }

  @Test
  void anEventThatWasIngestedTooHasTheFateOfItsIngestedCopy() {
    assertThat(
            fates(
                PIPELINE.spec(),
                Click.at("12:00:00", "in time").read("a", 0).importedBy(2),
                Click.at("12:00:00", "in time").read("b", 0).archivedBy(1),
                Click.at("12:00:01", "late").read("a", 0).importedBy(1),
                Click.at("12:00:01", "late").read("b", 0).archivedBy(2),
                Click.at("12:00:02", "too old").with(RecordProblem.TOO_OLD).archivedBy(1),
                Click.at("12:00:02", "too old").importedBy(2)))
        .containsExactly(
            "in time copy",
            "in time counted",
            "late copy",
            "late left-out",
            "too old imported",
            "too old rejected");
  }

  @Test
  void theStreamHadClosedNothingOverWhatWasImported() {
    assertThat(
            records(PIPELINE.spec(), Click.at("12:00:00", "c1").importedBy(2))
                .filter(col(StreamBounds.CLOSED_THROUGH).isNotNull())
                .count())
        .isZero();
  }

  @Test
  void aCopyThatIsRejectedTakesNoPlace() {
    assertThat(
            fates(
                PIPELINE.spec(),
                Click.at("12:00:00", "c1").read("a", 0).with(RecordProblem.TOO_OLD).archivedBy(1),
                Click.at("12:00:00", "c1").read("b", 0).archivedBy(1)))
        .containsExactly("c1 counted", "c1 rejected");
  }

  @Test
  void ofMalformedRecordsOfTheDayItCannotBeSaid() {
    Dataset<Row> archive =
        withDates(
            Click.at("23:00:00", "of the day").with(RecordProblem.MALFORMED),
            Click.at("12:00:00", "known").with(RecordProblem.TOO_OLD),
            Click.at("12:00:00", "good"));

    assertThat(RowRecords.unattributable(archive, PIPELINE.spec(), NOON).count()).isEqualTo(1);
    assertThat(
            RowRecords.unattributable(archive, PIPELINE.spec(), NOON.plusSeconds(86_400)).count())
        .isZero();
  }

  private List<String> fates(PipelineSpec spec, Click... clicks) {
    return records(spec, clicks)
        .selectExpr("concat(get_json_object(event_id, '$.click_id'), ' ', fate) AS t")
        .orderBy("t")
        .collectAsList()
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }

  private Dataset<Row> records(PipelineSpec spec, Click... clicks) {
    return RowRecords.of(
        withDates(clicks), spec, bounds(), NOON, col("ad_id").eqNullSafe(lit("ad")), 2);
  }

  private static Dataset<Row> withDates(Click... clicks) {
    return Click.archive(clicks)
        .withColumn(
            ArchiveColumns.EVENT_DATE,
            functions.when(
                col(ArchiveColumns.PROBLEM).isNull(),
                functions.to_date(col(ArchiveColumns.EVENT_TIME))));
  }
}
