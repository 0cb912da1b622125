package io.tidemark.cli.verb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.reconcile.PipelineStatus;
import io.tidemark.reconcile.PipelineStatus.GenerationStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusTextTest {

  private static final PipelineStatus NEW =
      new PipelineStatus(
          "ad_clicks",
          "g1",
          Instant.parse("2026-03-01T00:00:00Z"),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          0,
          Duration.ZERO,
          Optional.empty(),
          Map.of(),
          Map.of(),
          Map.of(),
          Map.of(),
          new TreeMap<>(),
          List.of(),
          List.of());

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT59.9S, 59s",
    "PT60S, 1m 0s",
    "PT5M10S, 5m 10s",
    "PT59M59S, 59m 59s",
    "PT1H, 1h 0m",
    "PT23H59M59S, 23h 59m",
    "PT24H, 1d 0h",
    "PT51H, 2d 3h",
  })
  void aDurationHasTwoUnitsAtTheMost(Duration duration, String text) {
    assertThat(StatusText.duration(duration)).isEqualTo(text);
  }

  @Test
  void aNewPipelineHasNothingYet() {
    assertThat(StatusText.of(NEW))
        .isEqualTo(
            """
            ad_clicks, generation g1
              Frontier: none yet. The stream has not seen enough.
              Settled through: nothing is settled yet.
              Lag: none; the stream has read all that is archived.
              Rows: 0 open, 0 on-time, 0 closed, 0 settled, 0 final.
              Problems: none.""");
  }

  private static PipelineStatus running(long archived, long leftOut) {
    Map<String, String> last = new LinkedHashMap<>();
    last.put("settlement", "4");
    last.put("committed_at", "2026-03-03T00:10:00Z");
    last.put("agreed", "90");
    last.put("corrected", "3");
    last.put("missing", "2");
    last.put("phantom", "1");
    Map<String, Long> balance = new LinkedHashMap<>();
    balance.put("archived", archived);
    balance.put("rejected", 10L);
    balance.put("filtered", 20L);
    balance.put("considered", 970L);
    balance.put("memberships", 960L);
    balance.put("counted", 950L);
    balance.put("duplicates", 10L);
    balance.put("estimated", 940L);
    balance.put("left_out", leftOut);
    return new PipelineStatus(
        "ad_clicks",
        "g1",
        Instant.parse("2026-03-01T00:00:00Z"),
        Optional.of(Instant.parse("2026-03-03T00:08:00Z")),
        Optional.of(Instant.parse("2026-03-03T00:09:00Z")),
        Optional.of(Instant.parse("2026-03-03T00:00:00Z")),
        Optional.of(LocalDate.parse("2025-03-03")),
        Optional.of(LocalDate.parse("2025-04-01")),
        7,
        Duration.ofSeconds(75),
        Optional.of(Duration.ofSeconds(80)),
        Map.of("open", 4L, "on-time", 3L, "closed", 2L, "settled", 90L, "final", 6L),
        new TreeMap<>(Map.of("malformed", 6L, "too-old", 4L)),
        last,
        balance,
        new TreeMap<>(leftOut == 10 ? Map.of() : Map.of(3L, 10 - leftOut)),
        List.of(),
        List.of());
  }

  @Test
  void aRunningPipelineSaysHowFarItIsAndThatItsBalanceIsEven() {
    assertThat(StatusText.of(running(1000, 10)))
        .isEqualTo(
            """
            ad_clicks, generation g1
              Frontier: 2026-03-03T00:08:00Z. No window that ends by then is changed by the stream any more.
              On time through: 2026-03-03T00:09:00Z. What comes within the bound is in.
              Settled through: 2026-03-03T00:00:00Z. Numbers to bill from.
              Archive: kept from 2025-03-03 on. Windows that start before are frozen.
              Built from 2025-04-01 on. Windows that start before are in older generations only.
              Lag: 7 archived records wait for the stream, the oldest for 1m 15s.
              The stream last moved on 1m 20s ago.
              Rows: 4 open, 3 on-time, 2 closed, 90 settled, 6 final.
              Problems: 6 malformed, 4 too-old.
              Last settlement: 4 at 2026-03-03T00:10:00Z; 90 agreed, 3 corrected, 2 missing, 1 phantom.
              Balance of records up to then: 1000 archived = 10 rejected + 20 filtered + 970 considered.
              Balance of settled windows: 960 memberships = 950 counted + 10 duplicates; exact 950 − estimate 940 = 10 left out by the stream.""");
  }

  @Test
  void whatABalanceCannotExplainIsSaid() {
    assertThat(StatusText.of(running(1003, 12)))
        .endsWith(
            "\n  Balance of records up to then: 1003 archived = 10 rejected + 20 filtered + 970 considered"
                + " (unexplained: 3)."
                + "\n  Balance of settled windows: 960 memberships = 950 counted + 10 duplicates;"
                + " exact 950 − estimate 940 = 12 left out by the stream (unexplained: -2)."
                + "\n  Settlement 3: -2 events unexplained.");
  }

  @Test
  void whatWasImportedIsATermOfTheBalanceWhereThereIsAny() {
    PipelineStatus status = running(1000, 7);
    Map<String, Long> balance = new LinkedHashMap<>(status.balance());
    balance.put("imported", 3L);
    balance.put("frozen", 2L);
    PipelineStatus withImport =
        new PipelineStatus(
            status.pipeline(),
            status.generation(),
            status.promotedAt(),
            status.frontier(),
            status.onTimeThrough(),
            status.settledThrough(),
            status.archiveKeptFrom(),
            status.builtFrom(),
            status.waitingRecords(),
            status.lag(),
            status.sinceStep(),
            status.rowsByStatus(),
            status.recordsByProblem(),
            status.lastSettlement(),
            balance,
            new TreeMap<>(),
            List.of(
                new GenerationStatus(
                    "g2",
                    "candidate",
                    Optional.of(Instant.parse("2026-03-03T00:07:00Z")),
                    1200,
                    Optional.of(3L)),
                new GenerationStatus("g3", "building", Optional.empty(), 0, Optional.empty())),
            List.of());

    assertThat(StatusText.of(withImport))
        .endsWith(
            "exact 950 − estimate 940 = 7 left out by the stream + 3 imported.\n"
                + "  Not counted: 2 memberships of frozen windows, which came when their days were no"
                + " longer kept.\n"
                + "  Beside it: g2, candidate, frontier 2026-03-03T00:07:00Z, 1200 records behind the"
                + " live one, 3 rows differ.\n"
                + "  Beside it: g3, building.");
    assertThat(StatusText.data(withImport)).containsEntry("unexplained_events", 0L);
  }

  @Test
  void programsGetTheSameAsNumbers() {
    Map<String, Object> data = StatusText.data(running(1003, 12));

    assertThat(data)
        .containsEntry("pipeline", "ad_clicks")
        .containsEntry("frontier", Instant.parse("2026-03-03T00:08:00Z"))
        .containsEntry("waiting_records", 7L)
        .containsEntry("lag_seconds", 75L)
        .containsEntry("seconds_since_step", 80L)
        .containsEntry("unexplained_records", 3L)
        .containsEntry("unexplained_events", -2L)
        .containsEntry("unexplained_by_settlement", Map.of(3L, -2L));
    assertThat(StatusText.data(NEW))
        .containsEntry("frontier", null)
        .containsEntry("unexplained_records", 0L)
        .doesNotContainKey("seconds_since_step");
  }
}
