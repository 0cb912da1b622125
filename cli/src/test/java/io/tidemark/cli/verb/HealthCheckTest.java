package io.tidemark.cli.verb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.reconcile.PipelineStatus;
import io.tidemark.spec.Health;
import io.tidemark.spec.Percentage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HealthCheckTest {

  private static final Health LIMITS =
      new Health(
          Optional.of(Duration.ofMinutes(5)),
          Optional.of(Duration.ofHours(1)),
          Percentage.parse("2%"));

  @Test
  void whatStaysWithinTheLimitsIsHealthy() {
    PipelineStatus status =
        status(Duration.ofMinutes(5), Optional.of(Duration.ofHours(1)), settled(100, 2));

    assertThat(HealthCheck.late(status, LIMITS)).isEmpty();
    assertThat(HealthCheck.silent(status, LIMITS)).isEmpty();
    assertThat(HealthCheck.leavingOut(status, LIMITS)).isEmpty();
  }

  @Test
  void whatIsBeyondIsSaidWithItsMeasure() {
    PipelineStatus status =
        status(
            Duration.ofMinutes(5).plusSeconds(1),
            Optional.of(Duration.ofMinutes(61)),
            settled(1000, 21));

    assertThat(HealthCheck.late(status, LIMITS))
        .hasValue(
            "ad_clicks is late: its oldest waiting record has waited 5m 1s, the limit is 5m. See whether 'tidemark aggregate' or 'stream' runs.");
    assertThat(HealthCheck.silent(status, LIMITS))
        .hasValue(
            "ad_clicks is silent: its stream last moved on 1h 1m ago, the limit is 1h. See whether 'tidemark stream' runs and its source still sends.");
    assertThat(HealthCheck.leavingOut(status, LIMITS))
        .hasValue(
            "ad_clicks leaves out too much: 21 of the 1000 events of settlement 7 had come too late for the stream (2.10%), the limit is 2%. 'tidemark lateness' says which watermark would do.");
    assertThat(HealthCheck.late(status, Health.UNLIMITED)).isEmpty();
    assertThat(HealthCheck.silent(status, Health.UNLIMITED)).isEmpty();
    assertThat(HealthCheck.leavingOut(status, Health.UNLIMITED)).isEmpty();
  }

  @Test
  void aStreamThatHasNeverMovedIsSilent() {
    assertThat(HealthCheck.silent(status(Duration.ZERO, Optional.empty(), Map.of()), LIMITS))
        .hasValueSatisfying(said -> assertThat(said).contains("its stream has not moved yet"));
  }

  @Test
  void nothingSettledAndAnUndoingLeaveNothingOut() {
    Optional<Duration> moved = Optional.of(Duration.ZERO);

    assertThat(HealthCheck.leavingOut(status(Duration.ZERO, moved, Map.of()), LIMITS)).isEmpty();
    assertThat(HealthCheck.leavingOut(status(Duration.ZERO, moved, settled(-10, -5)), LIMITS))
        .isEmpty();
  }

  private static Map<String, String> settled(long counted, long leftOut) {
    return Map.of("settlement", "7", "counted", counted + "", "left_out", leftOut + "");
  }

  private static PipelineStatus status(
      Duration lag, Optional<Duration> sinceStep, Map<String, String> lastSettlement) {
    return new PipelineStatus(
        "ad_clicks",
        "g1",
        Instant.parse("2026-03-01T00:00:00Z"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        lag,
        sinceStep,
        Map.of(),
        Map.of(),
        lastSettlement,
        Map.of(),
        new TreeMap<>(),
        List.of(),
        List.of());
  }
}
