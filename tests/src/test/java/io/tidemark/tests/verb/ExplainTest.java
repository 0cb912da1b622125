package io.tidemark.tests.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.reconcile.ExplainJob;
import io.tidemark.reconcile.ExplainRequest;
import io.tidemark.reconcile.RowExplanation;
import io.tidemark.reconcile.RowExplanation.Change;
import io.tidemark.reconcile.RowExplanation.Shown;
import io.tidemark.spec.computation.RecordFate;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.ArrivalBatch;
import io.tidemark.tests.oracle.Event;
import io.tidemark.tests.oracle.SourceRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The row [12:00, 12:01) of key A: one event in time and its copy, one left out and adopted by
 * settlement 1, one that came after that and is adopted by settlement 2, one that still waits, and
 * one too old.
 */
@Tag("spark")
class ExplainTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir static Path directory;

  private static TestPipeline pipeline;

  @BeforeAll
  static void settleTwice() throws Exception {
    pipeline =
        TestPipeline.in(
            directory,
            yaml ->
                yaml.with("measures", "{values: count(value), different: approx-distinct(value)}"));
    Event first = Events.at("e-1", "A", NOON);
    pipeline.land(Events.file("a", first));
    pipeline.stream();
    pipeline.land(Events.file("b", Events.at("e-9", "B", NOON.plusSeconds(300)), first));
    pipeline.stream();
    pipeline.land(
        Events.file(
            "c",
            Events.at("e-2", "A", NOON.plusSeconds(20)),
            Events.at("e-3", null, NOON),
            Events.at("e-4", "", NOON),
            new Event("x-1", "A", NOON.plusSeconds(5), NOON.plus(Duration.ofDays(40)), 1L)));
    pipeline.stream();
    pipeline.close();
    pipeline.land(Events.file("d", Events.at("e-5", "A", NOON.plusSeconds(40))));
    pipeline.stream();
    pipeline.settle();
    pipeline.land(
        new ArrivalBatch(
            "e.jsonl",
            List.of(
                SourceRecord.of("e.jsonl", Events.at("e-6", "A", NOON.plusSeconds(50))),
                SourceRecord.malformed("e.jsonl", "{\"id\":\"x-2\",\"value\":\"12,5\"}"))));
    pipeline.ingest();
  }

  @Test
  void everyRecordOfTheRowHasItsFateAndSettlement() {
    RowExplanation row = explain(Optional.of("A"), 50);

    assertThat(row.records())
        .extracting(
            record ->
                "%s %s %s"
                    .formatted(
                        record.eventId().orElseThrow().replaceAll("[^-a-z0-9]|id", ""),
                        record.fate().label(),
                        record.settledBy().map(n -> "settlement " + n).orElse("not settled")))
        .containsExactly(
            "e-1 counted settlement 1",
            "e-1 copy settlement 1",
            "x-1 rejected settlement 1",
            "e-2 left-out settlement 1",
            "e-5 left-out settlement 2",
            "e-6 left-out not settled");
    assertThat(row.records().get(1).countedPosition()).contains("/landing/a.jsonl line ");
    assertThat(row.records().get(2).problem()).contains("too-old");
    assertThat(row.records().get(3).closedThrough()).contains(NOON.plusSeconds(300 - 70));
  }

  @Test
  void theHistoryGoesFromTheEstimateToNow() {
    RowExplanation row = explain(Optional.of("A"), 0);

    assertThat(row.estimate()).contains(values(1));
    assertThat(row.changes())
        .containsExactly(
            new Change(
                1,
                "corrected",
                TestPipeline.CLOCK.instant(),
                Optional.of(values(1)),
                Optional.of(values(2))),
            new Change(
                2,
                "corrected",
                TestPipeline.CLOCK.instant(),
                Optional.of(values(2)),
                Optional.of(values(3))));
    assertThat(row.now()).contains(new Shown(values(3), "settled", 2));
  }

  @Test
  void allRecordsAreCountedHoweverFewAreListed() {
    RowExplanation row = explain(Optional.of("A"), 1);

    assertThat(row.recordsByFate())
        .isEqualTo(
            Map.of(
                RecordFate.COUNTED, 1L,
                RecordFate.COPY, 1L,
                RecordFate.REJECTED, 1L,
                RecordFate.LEFT_OUT, 3L));
    assertThat(row.records()).hasSize(1);
    assertThat(row.unattributable()).as("the malformed one").isEqualTo(1);
  }

  @Test
  void theNullKeyIsNotTheEmptyTextAndARowMayHaveBeenMissing() {
    for (Optional<String> key : List.of(Optional.<String>empty(), Optional.of(""))) {
      RowExplanation row = explain(key, 50);

      assertThat(row.recordsByFate()).isEqualTo(Map.of(RecordFate.LEFT_OUT, 1L));
      assertThat(row.records().get(0).eventId())
          .contains(key.isEmpty() ? "{\"id\":\"e-3\"}" : "{\"id\":\"e-4\"}");
      assertThat(row.estimate()).isEmpty();
      assertThat(row.changes()).extracting(Change::kind).containsExactly("missing");
    }
  }

  @Test
  void aRowThatIsNotThereIsExplainedToo() {
    RowExplanation row = explain(Optional.of("nobody"), 50);

    assertThat(row.now()).isEmpty();
    assertThat(row.estimate()).isEmpty();
    assertThat(row.recordsByFate()).isEmpty();
  }

  @Test
  void theVerbTellsTheStoryInWordsAndAsJson() throws Exception {
    JsonNode row = verb(0, "--key", "key=A");

    assertThat(row.get("version").asLong()).isEqualTo(2);
    assertThat(row.get("records").get(3).get("in_words").asText())
        .isEqualTo(
            "left out by the stream as too late: windows through 2026-03-01T12:03:50Z were closed;"
                + " counted by settlement 1");
    assertThat(verb(0, "--key-null", "key").get("key").asText()).isEqualTo("{\"key\":null}");
    assertThat(verb(0, "--key", "key=").get("key").asText()).isEqualTo("{\"key\":\"\"}");
    assertThat(verb(2).get("error").asText()).contains("not given: key.");
    assertThat(verb(2, "--key", "kex=A").get("error").asText()).contains("Did you mean key?");
  }

  @Test
  void aValueThatIsNotOfTheKeysTypeIsRefused() throws Exception {
    TestPipeline numbers =
        TestPipeline.in(directory.resolve("numbers"), yaml -> yaml.with("keys", "[value]"));

    assertThatThrownBy(
            () ->
                new ExplainJob(
                        numbers.spark(),
                        numbers.spec(),
                        numbers.tables(),
                        numbers.format(),
                        TestPipeline.CLOCK)
                    .run(new ExplainRequest(NOON, Map.of("value", Optional.of("one")), 50)))
        .isInstanceOf(SpecException.class)
        .hasMessage(
            "Cannot explain key value: 'one' is no BIGINT. Give another value, or --key-null value.");
  }

  private static String values(int events) {
    return "{\"values\":%d,\"different\":1,\"event_count\":%d}".formatted(events, events);
  }

  private static RowExplanation explain(Optional<String> key, int most) {
    return pipeline.explainJob().run(new ExplainRequest(NOON, Map.of("key", key), most));
  }

  private static JsonNode verb(int exitCode, String... options) throws Exception {
    List<String> line = new ArrayList<>(List.of("explain", "--window", NOON.toString()));
    line.addAll(Arrays.asList(options));
    return pipeline.answer(exitCode, line.toArray(String[]::new));
  }
}
