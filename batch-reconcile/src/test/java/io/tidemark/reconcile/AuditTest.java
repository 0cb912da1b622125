package io.tidemark.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.merge.Breach;
import io.tidemark.reconcile.AuditEvidence.PartitionRows;
import io.tidemark.reconcile.AuditEvidence.Records;
import io.tidemark.reconcile.AuditEvidence.Rows;
import io.tidemark.reconcile.AuditEvidence.Total;
import io.tidemark.spec.Percentage;
import io.tidemark.spec.SettleLimits;
import io.tidemark.spec.SettleLimits.OnBreach;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AuditTest {

  private static final Instant MARCH_8 = Instant.parse("2026-03-08T00:00:00Z");
  private static final Percentage FIVE = percent("5%");
  private static final Percentage FORTY = percent("40%");
  private static final SettleLimits LIMITS =
      new SettleLimits(
          Optional.of(FIVE),
          Optional.of(FIVE),
          Optional.of(FORTY),
          Optional.of(FIVE),
          Optional.of(FIVE),
          OnBreach.HOLD);

  private static final Rows NOTHING_CORRECTED = new Rows(1_000, 0, 0, 0);
  private static final Total UNCHANGED = new Total("event_count", 10_000, 0);
  private static final Records GOOD_RECORDS = new Records(10_000, 0);

  @Test
  void everyLimitIsJudgedAndNamesItsEvidence() {
    assertThat(
            breaches(
                new AuditEvidence(
                    new Rows(900, 60, 150, 84),
                    List.of(new Total("cost", 10_000, -600)),
                    List.of(new PartitionRows(MARCH_8, 500, List.of(1_000L, 900L, 1_100L))),
                    new Records(1_000, 51))))
        .containsExactly(
            new Breach(
                "max-corrected-share",
                FIVE,
                60.0 / 966,
                "60 of the 966 settled rows of the touched partitions are corrected"),
            new Breach(
                "max-total-change",
                FIVE,
                0.06,
                "the total of cost changes by -600, of 10000 in the touched partitions"),
            new Breach(
                "max-row-change",
                FORTY,
                0.5,
                "the partition 2026-03-08T00:00:00Z has 500 rows, and in the median of the same one"
                    + " on 3 earlier days 1000"),
            new Breach(
                "max-phantom-share",
                FIVE,
                0.08,
                "84 of the 1050 rows of the touched partitions have no event in the archive"),
            new Breach(
                "max-problem-share",
                FIVE,
                0.051,
                "51 of the 1000 records archived since the settlement before have a problem"));
  }

  @Test
  void whatIsNotLimitedIsNotJudged() {
    SettleLimits none =
        new SettleLimits(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OnBreach.HOLD);
    assertThat(
            new Audit(none)
                .breaches(
                    new AuditEvidence(
                        new Rows(100, 90, 0, 10),
                        List.of(new Total("cost", 100, 100)),
                        List.of(partition(500, 100, 100, 100)),
                        new Records(1_000, 1_000))))
        .isEmpty();
  }

  @Test
  void theLimitItselfIsNoBreach() {
    assertThat(
            breaches(
                new AuditEvidence(
                    new Rows(1_000, 50, 0, 50),
                    List.of(new Total("cost", 1_000, 50)),
                    List.of(partition(140, 100, 100, 100)),
                    new Records(1_000, 50))))
        .extracting(Breach::rule)
        .as("50 of the 950 rows that are left are corrected")
        .containsExactly("max-corrected-share");
    assertThat(ofRows(new Rows(1_000, 50, 0, 0))).isEmpty();
  }

  @Test
  void aFewDirtyPairsAreJudgedAgainstTheirWholeDay() {
    // All three recounted rows of a settled day are corrected: they were chosen for it.
    assertThat(ofRows(new Rows(1_000, 3, 0, 0))).isEmpty();
  }

  @Test
  void rowsOfAGapOfTheStreamAreNoCorrectedRows() {
    assertThat(ofRows(new Rows(500, 0, 940, 0))).isEmpty();
  }

  @Test
  void partialRowsAtTheEdgesOfAGapAreJudgedAgainstTheWholeDay() {
    // Of 25 rows that the stream had, 20 held a part of their events.
    assertThat(ofRows(new Rows(25, 20, 1_415, 0))).isEmpty();
  }

  @Test
  void theFirstSettlementHasNoEarlierDays() {
    assertThat(ofPartitions(new PartitionRows(MARCH_8, 5_000, List.of()))).isEmpty();
    assertThat(ofPartitions(partition(5_000, 100, 100))).isEmpty();
    assertThat(ofPartitions(partition(5_000, 100, 100, 100))).containsExactly("max-row-change");
  }

  @Test
  void daysAtTheEdgesOfAGapHardlyMoveTheMedian() {
    assertThat(ofPartitions(partition(1_000, 980, 400, 1_010, 20, 1_020))).isEmpty();
  }

  @Test
  void aDayWithoutARowIsNotCompared() {
    assertThat(ofPartitions(partition(0, 1_000, 1_000, 1_000))).isEmpty();
  }

  @Test
  void eachPartitionOfALongSettlementIsComparedForItself() {
    assertThat(
            ofPartitions(
                partition(1_010, 1_000, 1_000, 1_000),
                partition(300, 1_000, 1_000, 1_000),
                partition(990, 1_000, 1_000, 1_000)))
        .containsExactly("max-row-change");
  }

  @Test
  void moreRowsThanUsualAreAChangeToo() {
    assertThat(ofPartitions(partition(1_500, 1_000, 1_000, 1_000, 1_000)))
        .containsExactly("max-row-change");
  }

  @Test
  void tinySamplesAreNotJudged() {
    assertThat(ofRows(new Rows(19, 19, 0, 0))).isEmpty();
    assertThat(ofRows(new Rows(19, 0, 0, 19))).isEmpty();
    assertThat(ofTotals(new Rows(19, 0, 0, 0), new Total("cost", 10, 10))).isEmpty();
    assertThat(ofPartitions(partition(1, 19, 19, 19))).isEmpty();
    assertThat(
            breaches(
                new AuditEvidence(
                    NOTHING_CORRECTED, List.of(UNCHANGED), List.of(), new Records(99, 99))))
        .isEmpty();
  }

  @Test
  void theLargestChangeOfATotalIsReported() {
    assertThat(
            ofTotals(
                NOTHING_CORRECTED,
                new Total("clicks", 1_000, 60),
                new Total("cost", 1_000, -70),
                new Total("event_count", 1_000, 10)))
        .singleElement()
        .satisfies(breach -> assertThat(breach.evidence()).startsWith("the total of cost"));
  }

  @Test
  void aTotalThatIsNoNumberIsNotJudged() {
    assertThat(
            ofTotals(
                NOTHING_CORRECTED,
                new Total("zero", 0, 0),
                new Total("nan", Double.NaN, Double.NaN),
                new Total("infinite", Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY)))
        .isEmpty();
  }

  private static List<Breach> ofRows(Rows rows) {
    return breaches(new AuditEvidence(rows, List.of(UNCHANGED), List.of(), GOOD_RECORDS));
  }

  private static List<Breach> ofTotals(Rows rows, Total... totals) {
    return breaches(new AuditEvidence(rows, List.of(totals), List.of(), GOOD_RECORDS));
  }

  private static List<String> ofPartitions(PartitionRows... partitions) {
    return breaches(
            new AuditEvidence(
                NOTHING_CORRECTED, List.of(UNCHANGED), List.of(partitions), GOOD_RECORDS))
        .stream()
        .map(Breach::rule)
        .toList();
  }

  private static PartitionRows partition(long rows, long... earlier) {
    return new PartitionRows(MARCH_8, rows, Arrays.stream(earlier).boxed().toList());
  }

  private static List<Breach> breaches(AuditEvidence evidence) {
    return new Audit(LIMITS).breaches(evidence);
  }

  private static Percentage percent(String text) {
    return Percentage.parse(text).orElseThrow();
  }
}
