package io.tidemark.tests.verb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ingest.ImportOutcome;
import io.tidemark.reconcile.ExplainRequest;
import io.tidemark.reconcile.LatenessJob;
import io.tidemark.reconcile.LatenessRequest;
import io.tidemark.spec.computation.RecordFate;
import io.tidemark.tests.harness.AlwaysOn;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.LedgerRow;
import io.tidemark.tests.harness.ShownRow;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.ArrivalBatch;
import io.tidemark.tests.oracle.Event;
import io.tidemark.tests.oracle.Group;
import io.tidemark.tests.oracle.SourceRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** History goes past the stream into the settlements, and counts once. */
@Tag("spark")
class ImportTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant LONG_AGO = Instant.parse("2024-01-05T12:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir Path directory;

  /**
   * Of one file: long ago two keys, and one event twice; in the settled window one that is new and
   * one that the stream left out; in the window that the frontier has passed one that is new; in
   * one that it has not passed one that is new and one that the stream has counted; a line that is
   * none.
   */
  private ArrivalBatch history() {
    return new ArrivalBatch(
        "history.jsonl",
        List.of(
            old("h-1", "A", LONG_AGO),
            old("h-2", "B", LONG_AGO),
            record(new Event("h-1", "A", LONG_AGO.plusSeconds(1), NOON, 1L)),
            record(Events.at("h-3", "A", NOON)),
            record(Events.at("late", "A", NOON)),
            record(Events.at("h-4", "A", NOON.plus(DAY.minusHours(2)))),
            record(Events.at("h-5", "A", NOON.plus(DAY))),
            record(Events.at("e-2", "A", NOON.plus(DAY))),
            SourceRecord.malformed("history.jsonl", "no json")));
  }

  private static SourceRecord old(String id, String key, Instant time) {
    return record(new Event(id, key, time, NOON, 1L));
  }

  private static SourceRecord record(Event event) {
    return SourceRecord.of("history.jsonl", event);
  }

  @Test
  void historyGoesPastTheStreamAndIsAdoptedOnceByTheSettlements() throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml);
    Path history = history().landIn(Files.createDirectories(directory.resolve("history")));
    try (AlwaysOn stream = pipeline.alwaysOn()) {
      stream.arrive(Events.file("a", Events.at("e-1", "A", NOON)));
      stream.arrive(Events.file("b", Events.at("e-2", "A", NOON.plus(DAY))));
      pipeline.settle();
      stream.arrive(Events.file("c", Events.at("late", "A", NOON)));
      Map<Group, ShownRow> before = pipeline.shown();
      Optional<Instant> frontier = pipeline.statusAfter(Duration.ZERO).frontier();

      assertThat(pipeline.importFrom(history.getParent()))
          .isInstanceOfSatisfying(
              ImportOutcome.Imported.class,
              imported -> {
                assertThat(imported.records().counts().considered()).isEqualTo(8);
                assertThat(imported.records().problems())
                    .extracting(problem -> problem.records() + " " + problem.problem())
                    .containsExactly("1 malformed");
              });
      stream.aggregate().processAllAvailable();

      assertThat(pipeline.statusAfter(Duration.ZERO).frontier()).isEqualTo(frontier);
      assertThat(pipeline.statusAfter(Duration.ZERO).waitingRecords()).isZero();
      assertThat(pipeline.shown()).isEqualTo(before);
      assertThat(lateIds(pipeline)).containsExactly("late");

      pipeline.settle();

      assertThat(pipeline.ledger().get(1).events())
          .as("adopted: h-1, h-2 and h-3, and late, which the stream left out")
          .isEqualTo(new LedgerRow.Events(6, 4, 2, 0, 1, 3));
      assertThat(events(pipeline))
          .isEqualTo(
              Map.of(
                  new Group(LONG_AGO, "A"), 1L,
                  new Group(LONG_AGO, "B"), 1L,
                  new Group(NOON, "A"), 3L,
                  new Group(NOON.plus(DAY), "A"), 1L));

      stream.arrive(Events.file("d", Events.at("e-3", "A", NOON.plus(DAY.multipliedBy(2)))));
    }
    pipeline.settle();

    assertThat(pipeline.ledger().get(2).events())
        .as("adopted: h-4 and h-5; the stream had e-2")
        .isEqualTo(new LedgerRow.Events(4, 3, 1, 1, 0, 2));
    assertThat(pipeline.ledger()).allSatisfy(row -> assertThat(row.events().residual()).isZero());
    assertThat(fates(pipeline, LONG_AGO))
        .isEqualTo(Map.of(RecordFate.IMPORTED, 1L, RecordFate.COPY, 1L));
    assertThat(fates(pipeline, NOON))
        .isEqualTo(
            Map.of(
                RecordFate.COUNTED, 1L,
                RecordFate.IMPORTED, 1L,
                RecordFate.LEFT_OUT, 1L,
                RecordFate.COPY, 1L));
    assertThat(
            new LatenessJob(pipeline.spec(), pipeline.tables(), pipeline.format())
                .run(new LatenessRequest(Optional.empty(), Optional.empty()))
                .orElseThrow()
                .events())
        .as("ingested events")
        .isEqualTo(4);

    Map<Group, ShownRow> settled = pipeline.shown();
    long archiveVersion = pipeline.format().version(pipeline.tables().archive());

    assertThat(pipeline.importFrom(history)).isInstanceOf(ImportOutcome.DoneBefore.class);
    assertThat(pipeline.format().version(pipeline.tables().archive())).isEqualTo(archiveVersion);

    Path copied = history().landIn(Files.createDirectories(directory.resolve("copy")));
    assertThat(pipeline.importFrom(history, copied)).isInstanceOf(ImportOutcome.Imported.class);
    pipeline.settle();

    assertThat(pipeline.shown()).isEqualTo(settled);
    assertThat(pipeline.ledger().get(3).events())
        .as("16 copies of what is counted")
        .isEqualTo(new LedgerRow.Events(16, 0, 16, 0, 0, 0));
    assertThat(pipeline.verify().differing()).isZero();
  }

  /** The same file, imported first and ingested then: its lines have the same positions. */
  @Test
  void whereThePositionIsTheIdentityAnImportedFileMayBeIngestedToo() throws Exception {
    TestPipeline pipeline =
        TestPipeline.in(
            directory, yaml -> yaml.with("duplicates", "keep").with("identical-lines", "one"));
    pipeline.land(
        Events.file("a", Events.at("e-1", "A", NOON), Events.at("e-1", "A", NOON.plusSeconds(1))));
    pipeline.importFrom(directory.resolve("landing"));
    pipeline.stream();
    pipeline.close();

    assertThat(pipeline.ledger().get(0).events()).isEqualTo(new LedgerRow.Events(4, 2, 2, 2, 0, 0));
    assertThat(pipeline.verify().differing()).isZero();
  }

  @Test
  void theVerbAnswersInWordsAndAsJson() throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml);
    Path history = history().landIn(Files.createDirectories(directory.resolve("history")));

    JsonNode dryRun = pipeline.answer(0, "import", history + "", "--dry-run");
    assertThat(dryRun.get("state").asText()).isEqualTo("dry-run");
    assertThat(dryRun.get("records").get("considered").asLong()).isEqualTo(8);
    assertThat(pipeline.format().version(pipeline.tables().archive())).isZero();

    JsonNode imported = pipeline.answer(0, "import", history + "");
    assertThat(imported.get("state").asText()).isEqualTo("imported");
    assertThat(imported.get("archive_version").asLong()).isEqualTo(1);
    assertThat(imported.get("records")).isEqualTo(dryRun.get("records"));
    assertThat(imported.get("problems")).isEqualTo(dryRun.get("problems"));

    assertThat(pipeline.answer(0, "import", directory + "/h*/*.jsonl").get("state").asText())
        .isEqualTo("imported-before");
    assertThat(pipeline.answer(0, "import", history + "", "--dry-run").get("state").asText())
        .isEqualTo("imported-before");
    assertThat(pipeline.answer(2, "import", directory + "/nowhere").get("error").asText())
        .startsWith("Cannot import: there is no file at " + directory + "/nowhere. Mend the path");
  }

  private static Map<Group, Long> events(TestPipeline pipeline) {
    return pipeline.measures().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, row -> row.getValue().eventCount()));
  }

  private static List<String> lateIds(TestPipeline pipeline) {
    return pipeline.view("_late").select("event_id.id").collectAsList().stream()
        .map(row -> row.getString(0))
        .toList();
  }

  private static Map<RecordFate, Long> fates(TestPipeline pipeline, Instant windowStart) {
    return pipeline
        .explainJob()
        .run(new ExplainRequest(windowStart, Map.of("key", Optional.of("A")), 0))
        .recordsByFate();
  }
}
