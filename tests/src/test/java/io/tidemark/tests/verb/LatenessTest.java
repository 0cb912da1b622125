package io.tidemark.tests.verb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.reconcile.LatenessJob;
import io.tidemark.reconcile.LatenessReport;
import io.tidemark.reconcile.LatenessReport.Group;
import io.tidemark.reconcile.LatenessReport.Percentiles;
import io.tidemark.reconcile.LatenessRequest;
import io.tidemark.reconcile.LatenessRequest.Grouping;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Five events in four commits, windows of a minute. e-3 came when 12:02:30 had been seen: 100 s
 * behind, and 90 s after its window's end. e-4 came 10 s behind, in a window that had not ended.
 */
@Tag("spark")
class LatenessTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Percentiles IN_TIME = percentiles(0, 0, 0);

  @TempDir static Path directory;

  private static TestPipeline pipeline;

  @BeforeAll
  static void archive() throws Exception {
    pipeline = TestPipeline.in(directory, yaml -> yaml);
    pipeline.land(Events.file("a", Events.at("e-1", "A", NOON.plusSeconds(10))));
    pipeline.stream();
    pipeline.land(Events.file("b", Events.at("e-2", "A", NOON.plusSeconds(150))));
    pipeline.stream();
    pipeline.land(
        Events.file(
            "c",
            new Event("e-3", "B", NOON.plusSeconds(50), NOON.plusSeconds(152), 1L),
            Events.at("e-4", "B", NOON.plusSeconds(140)),
            Events.at("e-1", "A", NOON.plusSeconds(10)), // a copy
            new Event("x-1", "A", NOON.plusSeconds(90_000), NOON, 1L))); // a problem: a day ahead
    pipeline.stream();
    pipeline.land(Events.file("d", Events.at("e-5", "A", NOON.plusSeconds(170))));
    pipeline.stream();
  }

  @Test
  void percentilesAreThoseOfTheFirstCopiesOfGoodEvents() {
    LatenessReport report = report(Optional.empty(), Optional.empty());

    assertThat(report.events()).isEqualTo(5);
    assertThat(report.behind()).isEqualTo(percentiles(0, 100, 100));
    assertThat(report.delay()).isEqualTo(percentiles(0, 102, 102));
    assertThat(report.groups()).isEmpty();
  }

  @Test
  void aDelayLeavesOutTheEventsWhoseWindowsItClosed() {
    Map<Duration, Long> leftOut = leftOut(report(Optional.empty(), Optional.empty()));

    assertThat(leftOut.entrySet().stream().filter(rung -> rung.getValue() == 1))
        .extracting(rung -> rung.getKey().toSeconds())
        .containsExactly(0L, 10L, 30L, 60L, 70L);
    assertThat(leftOut.values()).containsOnly(0L, 1L).hasSize(13);
  }

  @Test
  void theCurrentDelayLeavesOutWhatTheStreamLeftOut() {
    Map<Duration, Long> leftOut = leftOut(report(Optional.empty(), Optional.empty()));

    assertThat(pipeline.view("_late").select("event_id.id").collectAsList())
        .extracting(row -> row.getString(0))
        .containsExactly("e-3");
    assertThat(leftOut).containsEntry(pipeline.spec().watermark().delay(), 1L);
  }

  @Test
  void theLatestGroupComesFirst() {
    assertThat(report(Optional.of(Grouping.KEY), Optional.empty()).groups())
        .containsExactly(
            new Group("{\"key\":\"B\"}", 2, percentiles(10, 100, 100)),
            new Group("{\"key\":\"A\"}", 3, IN_TIME));
    assertThat(report(Optional.of(Grouping.SOURCE), Optional.empty()).groups())
        .extracting(group -> group.name().replaceFirst(".*/", "") + " " + group.events())
        .containsExactly("landing 5");
  }

  @Test
  void whatArrivedBeforeIsNotLookedAtAndStillCountsAsSeen() {
    LatenessReport report = report(Optional.empty(), Optional.of(NOON.plusSeconds(152)));

    assertThat(report.events()).as("e-3 and e-5").isEqualTo(2);
    assertThat(report.behind().max()).isEqualTo(Duration.ofSeconds(100));
    assertThat(
            new LatenessJob(pipeline.spec(), pipeline.tables(), pipeline.format())
                .run(
                    new LatenessRequest(
                        Optional.empty(), Optional.of(NOON.plus(Duration.ofDays(3))))))
        .isEmpty();
  }

  @Test
  void theVerbRecommendsAWatermarkToPaste() throws Exception {
    assertThat(verb().get("recommended_yaml").asText())
        .isEqualTo("watermark: { bound: 10s, allowed-lateness: 290s }");
    assertThat(verb("--max-left-out-percent", "20").get("recommended_yaml").asText())
        .isEqualTo("watermark: { bound: 0s, allowed-lateness: 0s }");
  }

  private static JsonNode verb(String... options) throws Exception {
    List<String> line = new ArrayList<>(List.of("lateness"));
    line.addAll(Arrays.asList(options));
    return pipeline.answer(0, line.toArray(String[]::new));
  }

  private static LatenessReport report(Optional<Grouping> by, Optional<Instant> since) {
    return new LatenessJob(pipeline.spec(), pipeline.tables(), pipeline.format())
        .run(new LatenessRequest(by, since))
        .orElseThrow();
  }

  private static Map<Duration, Long> leftOut(LatenessReport report) {
    Map<Duration, Long> leftOut = new LinkedHashMap<>();
    report.ladder().rungs().forEach(rung -> leftOut.put(rung.delay(), rung.leftOut()));
    return leftOut;
  }

  /** In seconds; of so few events the last three are one. */
  private static Percentiles percentiles(long p50, long p90, long most) {
    Duration max = Duration.ofSeconds(most);
    return new Percentiles(Duration.ofSeconds(p50), Duration.ofSeconds(p90), max, max, max);
  }
}
