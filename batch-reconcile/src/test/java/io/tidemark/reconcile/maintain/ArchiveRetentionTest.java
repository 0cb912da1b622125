package io.tidemark.reconcile.maintain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.parse.PipelineParser;
import io.tidemark.tables.Generation;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

/** A max-age of 30 days, a skew of 5 minutes, windows of an hour. */
class ArchiveRetentionTest {

  private static final Instant APRIL_10 = Instant.parse("2026-04-10T00:00:00Z");
  private static final LocalDate MARCH_1 = LocalDate.parse("2026-03-01");
  private static final Duration FORTY_DAYS = Duration.ofDays(40);

  private final ArchiveRetention retention = retention("30d");

  private static ArchiveRetention retention(String maxAge) {
    return new ArchiveRetention(
        PipelineParser.parse(
                "clicks.yaml",
                """
                pipeline: ad_clicks
                source: {kind: files, path: /data/clicks, format: json}
                event:
                  schema: click_id STRING, clicked_at TIMESTAMP
                  id: click_id
                  time: clicked_at
                  arrival: clicked_at
                  max-future-skew: 5m
                  max-age: %s
                window: {tumbling: 1h}
                watermark: {bound: 10s, allowed-lateness: 60s}
                tables: {format: delta, partition: day}
                """
                    .formatted(maxAge))
            .spec());
  }

  @Test
  void theShortestRetentionCoversWhatMayStillComeAndARewind() {
    assertThat(retention.floor()).isEqualTo(Duration.parse("P30DT1H5M"));
    assertThat(retention("2h").floor())
        .as("a rewind: 70s, a day, a window, the skew; and a window")
        .isEqualTo(Duration.parse("P1DT2H6M10S"));
    assertThatCode(() -> retention.require(retention.floor())).doesNotThrowAnyException();
    assertThatThrownBy(() -> retention.require(retention.floor().minusMillis(1)))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("the shortest is 31d")
        .hasMessageContaining("max-age 30d, future skew 5m, window 1h");
  }

  @Test
  void daysAreKeptFromTheSettledBoundaryBack() {
    assertThat(retention.keepFrom(FORTY_DAYS, APRIL_10, APRIL_10)).contains(MARCH_1);
    assertThat(retention.keepFrom(FORTY_DAYS, APRIL_10.plusSeconds(86_399), APRIL_10))
        .as("a day that is begun is kept")
        .contains(MARCH_1);
    assertThat(retention.keepFrom(FORTY_DAYS, APRIL_10, Instant.MAX)).contains(MARCH_1);
  }

  @Test
  void whatUndoingTheSettlementInForceWouldChangeIsKept() {
    Instant february = Instant.parse("2026-02-03T12:00:00Z");

    assertThat(retention.keepFrom(FORTY_DAYS, APRIL_10, february))
        .contains(LocalDate.parse("2026-02-03"));
    assertThat(retention.keepFrom(FORTY_DAYS, APRIL_10, Instant.MIN)).isEmpty();
  }

  @Test
  void nothingBefore1970IsEverDeletedAlone() {
    assertThat(retention.keepFrom(FORTY_DAYS, Instant.EPOCH.plus(FORTY_DAYS), APRIL_10)).isEmpty();
    assertThat(retention.keepFrom(FORTY_DAYS, Instant.parse("1970-02-11T00:00:00Z"), APRIL_10))
        .contains(LocalDate.parse("1970-01-02"));
  }

  @Test
  void whatAJobHasStillToReadIsNotDeleted() {
    assertThatCode(() -> retention.requireRead(MARCH_1, Generation.FIRST, 0, 0))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> retention.requireRead(MARCH_1, Generation.FIRST, 3, 2))
        .isInstanceOf(SpecException.class)
        .hasMessage(
            """
            Cannot delete the days before 2026-03-01 from the archive of ad_clicks:
              - the stream of g1 has not read 3 of their records. Let 'tidemark aggregate' or 'tidemark stream' read them first.
              - 2 of their records came since the last settlement of g1. Run 'tidemark settle' first.
            Nothing was changed.""");
  }
}
