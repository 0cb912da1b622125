package io.tidemark.reconcile.maintain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.reconcile.maintain.HistoryNeeds.Inserts;
import io.tidemark.reconcile.maintain.HistoryNeeds.Standing;
import io.tidemark.reconcile.maintain.HistoryNeeds.Unread;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.parse.PipelineParser;
import io.tidemark.tables.Generation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A watermark of 70 s, windows of a minute, partitions of a day, a skew of 5 minutes. */
class HistoryInterlockTest {

  private static final Instant NOW = Instant.parse("2026-03-31T00:00:00Z");
  private static final HistoryNeeds NOTHING = new HistoryNeeds(Optional.empty(), List.of());

  private final HistoryInterlock interlock = interlock("day");

  private static HistoryInterlock interlock(String partition) {
    return new HistoryInterlock(
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
                window: {tumbling: 1m}
                watermark: {bound: 10s, allowed-lateness: 60s}
                tables: {format: delta, partition: %s}
                """
                    .formatted(partition))
            .spec());
  }

  private static HistoryNeeds unread(Optional<Instant> readThrough) {
    return new HistoryNeeds(Optional.of(new Unread(17, readThrough, 120)), List.of());
  }

  private static Instant ago(String duration) {
    return NOW.minus(Duration.parse(duration));
  }

  @Test
  void whatNobodyNeedsMayGo() {
    assertThatCode(() -> interlock.require(Generation.FIRST, Duration.ofDays(2), NOTHING, NOW))
        .doesNotThrowAnyException();
  }

  @Test
  void theShortestHistoryCoversARewindAndAtLeastADay() {
    assertThat(interlock.floor()).isEqualTo(Duration.parse("P1DT7M10S"));
    assertThat(interlock("hour").rewind()).isEqualTo(Duration.parse("PT1H7M10S"));
    assertThat(interlock("hour").floor()).isEqualTo(Duration.ofDays(1));
    assertThatThrownBy(() -> interlock.require(Generation.FIRST, Duration.ofDays(1), NOTHING, NOW))
        .isInstanceOf(SpecException.class)
        .hasMessage(
            "Cannot maintain g1 of ad_clicks with a history of 1d:\n"
                + "  - a rewind reaches up to 25h back: watermark 70s, partition 1d, window 1m, future"
                + " skew 5m.\n"
                + "Do so, or keep more: --keep-history 25h. Nothing was changed.");
    assertThatThrownBy(
            () -> interlock("hour").require(Generation.FIRST, Duration.ofHours(2), NOTHING, NOW))
        .hasMessageContaining("the shortest is 1d, so that no file of a running job is taken");
  }

  @Test
  void aPausedStreamMustFindItsFiles() {
    HistoryNeeds paused = unread(Optional.of(ago("P3DT1H")));

    assertThatThrownBy(() -> interlock.require(Generation.FIRST, Duration.ofDays(3), paused, NOW))
        .isInstanceOf(SpecException.class)
        .hasMessage(
            "Cannot maintain g1 of ad_clicks with a history of 3d:\n"
                + "  - the stream has read the archive through version 17, committed 73h ago, and 120"
                + " records wait. Let 'tidemark aggregate' or 'tidemark stream' read them first.\n"
                + "Do so, or keep more: --keep-history 4d. Nothing was changed.");
    assertThatCode(() -> interlock.require(Generation.FIRST, Duration.ofDays(4), paused, NOW))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () -> interlock.require(Generation.FIRST, Duration.parse("P3DT1H"), paused, NOW))
        .as("just as old as the history")
        .isInstanceOf(SpecException.class);
  }

  @Test
  void aStreamBehindTheArchivesLogIsHelpedByNoHistory() {
    for (Optional<Instant> readThrough :
        List.of(Optional.of(ago("P30D")), Optional.<Instant>empty())) {
      assertThatThrownBy(
              () ->
                  interlock.require(
                      Generation.FIRST, Duration.ofDays(60), unread(readThrough), NOW))
          .isInstanceOf(SpecException.class)
          .hasMessageEndingWith(
              "\nNo longer history helps the stream: the archive's log is kept 30d. Nothing was"
                  + " changed.");
    }
  }

  @Test
  void theNextSettlementAndTheOneAfterAnUndoingMustFindTheirDirtyPairs() {
    HistoryNeeds settled =
        new HistoryNeeds(
            Optional.empty(),
            List.of(
                new Inserts(3, Standing.IN_FORCE, 12, ago("PT50H"), 7),
                new Inserts(2, Standing.BELOW, 9, ago("P5D"), 20)));

    assertThatThrownBy(() -> interlock.require(Generation.FIRST, Duration.ofDays(2), settled, NOW))
        .isInstanceOf(SpecException.class)
        .hasMessage(
            "Cannot maintain g1 of ad_clicks with a history of 2d:\n"
                + "  - settlement 3 recounted archive version 12, committed 50h ago, and 7 records came"
                + " since. Run 'tidemark settle' first.\n"
                + "  - settlement 2, to which 'tidemark unsettle' goes back, recounted archive version"
                + " 9, committed 5d ago, and 20 records came since. Run 'tidemark settle' first.\n"
                + "Do so, or keep more: --keep-history 6d. Nothing was changed.");
    assertThatCode(() -> interlock.require(Generation.FIRST, Duration.ofDays(6), settled, NOW))
        .doesNotThrowAnyException();
  }
}
