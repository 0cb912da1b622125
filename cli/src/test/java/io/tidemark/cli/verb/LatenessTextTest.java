package io.tidemark.cli.verb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.reconcile.DelayLadder;
import io.tidemark.reconcile.DelayLadder.Rung;
import io.tidemark.reconcile.LatenessReport;
import io.tidemark.reconcile.LatenessReport.Group;
import io.tidemark.reconcile.LatenessReport.Percentiles;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.PipelineParser;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatenessTextTest {

  private static final PipelineSpec SPEC =
      PipelineParser.parse(
              "clicks.yaml",
              """
              pipeline: ad_clicks
              source: {kind: files, path: /data/clicks, format: json}
              event: {schema: 'click_id STRING, at TIMESTAMP', id: click_id, time: at, arrival: at}
              window: {tumbling: 1m}
              watermark: {bound: 10s, allowed-lateness: 60s}
              """)
          .spec();

  private static final Percentiles BEHIND = percentiles(0, 300, 12_345, 90_000, 3_900_000);

  private static final LatenessReport REPORT =
      new LatenessReport(
          17,
          1000,
          BEHIND,
          percentiles(-5_000, 300, 12_345, 90_000, 3_900_000),
          List.of(new Group("file:/in/dt=1", 4, BEHIND)),
          new DelayLadder(
              1000,
              List.of(
                  new Rung(Duration.ZERO, 40),
                  new Rung(Duration.ofSeconds(30), 9),
                  new Rung(Duration.ofSeconds(70), 1))));

  @Test
  void lateEventsAreSaidWithTheWatermarkThatWouldDo() {
    assertThat(new LatenessText(SPEC, REPORT, 1).toString())
        .isEqualTo(
            """
            Lateness of 1000 events of ad_clicks, as of archive version 17.

                               p50  p90    p99    p99.9   max
            behind the stream  0s   300ms  12.3s  1m 30s  1h 5m
            delay              -5s  300ms  12.3s  1m 30s  1h 5m

            Behind the stream: from the event's time to the latest in all earlier commits. Delay: to its arrival.

            behind the stream  events  p50  p90    p99    p99.9   max
            file:/in/dt=1           4  0s   300ms  12.3s  1m 30s  1h 5m

            Of 1000 events in their windows, a stream that reads each commit at once would leave out:

            watermark delay  left out   share
            0s                     40  4.000%
            30s                     9  0.900%
            70s                     1  0.100%  now

            The shortest of these that leaves out at most 1%:

            watermark: { bound: 10s, allowed-lateness: 20s }

            A changed watermark is another definition: it needs a new generation (tidemark rebuild).""");
  }

  @Test
  void theCurrentWatermarkMayBeTheRightOne() {
    assertThat(new LatenessText(SPEC, REPORT, 0.1).toString())
        .endsWith(
            """
            The shortest of these that leaves out at most 0.1%:

            watermark: { bound: 10s, allowed-lateness: 1m }

            That is what the pipeline has.""");
  }

  @Test
  void thereMayBeNoWatermarkThatWouldDo() {
    LatenessText text = new LatenessText(SPEC, REPORT, 0.05);

    assertThat(text.toString())
        .endsWith(
            "None of these leaves out at most 0.05%: such events are the settlement's to count.");
    assertThat(text.data()).doesNotContainKeys("recommended_delay", "recommended_yaml");
  }

  private static Percentiles percentiles(long p50, long p90, long p99, long p999, long max) {
    return new Percentiles(
        Duration.ofMillis(p50),
        Duration.ofMillis(p90),
        Duration.ofMillis(p99),
        Duration.ofMillis(p999),
        Duration.ofMillis(max));
  }
}
