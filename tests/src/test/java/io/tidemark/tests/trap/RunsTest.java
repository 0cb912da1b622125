package io.tidemark.tests.trap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.cli.Tidemark;
import io.tidemark.ingest.BatchTally;
import io.tidemark.ingest.StopSignal;
import io.tidemark.ingest.StreamRun;
import io.tidemark.ingest.StreamRun.Pace;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tests.harness.Await;
import io.tidemark.tests.harness.ChildJvm;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.Event;
import io.tidemark.tests.oracle.Group;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs that go wrong: traps 2 (watermark bound 0), 14 (two streams on one checkpoint), 15 (a
 * checkpoint deleted), 17 (a setting that the checkpoint keeps), 18 (a changed definition), 25 (an
 * end by signal, a dead query), and a settled row changed by hand.
 */
@Tag("spark")
class RunsTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final String SHUFFLE_PARTITIONS = "spark.sql.shuffle.partitions";

  @TempDir Path directory;

  @Test
  void withABoundOfZeroEventsAtTheWatermarkAreCounted() throws Exception {
    TestPipeline pipeline =
        TestPipeline.in(
            directory, yaml -> yaml.with("watermark", "{bound: 0s, allowed-lateness: 0s}"));
    for (String batch : List.of("a", "b")) {
      pipeline.land(
          Events.file(
              batch,
              Events.at(batch + "-1", "A", NOON.plusSeconds(60)),
              Events.at(batch + "-2", "A", NOON.plusSeconds(60))));
      pipeline.stream();
    }

    assertThat(pipeline.measures().get(new Group(NOON.plusSeconds(60), "A")).eventCount())
        .isEqualTo(4);
  }

  @Test
  void secondStreamOnACheckpointIsRefusedAndTheFirstGoesOn() throws Exception {
    TestPipeline pipeline = streamed();
    StopSignal stop = new StopSignal();
    CompletableFuture<List<BatchTally>> first =
        CompletableFuture.supplyAsync(
            () ->
                new StreamRun(Duration.ofMinutes(1), message -> {})
                    .run(
                        List.of(pipeline.ingestJob(), pipeline.aggregateJob()),
                        new Pace.Every(Duration.ofMillis(100)),
                        stop));
    Await.until("the first runs", () -> pipeline.spark().streams().active().length == 2);

    ConflictException refusal = catchThrowableOfType(ConflictException.class, pipeline::aggregate);

    assertThat(refusal)
        .hasMessage(
            "Cannot run on checkpoint %s: another process runs on it and goes on unharmed. Stop that one first, or leave the work to it.",
            pipeline.tables().aggregateCheckpoint());
    assertThat(refusal.exitCode()).isEqualTo(4);
    assertThat(run(pipeline, "aggregate", "--available-now")).isEqualTo(4);
    pipeline.land(Events.file("b", Events.at("e-2", "A", NOON)));
    Await.until(
        "the first has counted what came after the refusal",
        () -> pipeline.measures().get(new Group(NOON, "A")).eventCount() == 2);
    stop.request();
    assertThat(first.get()).extracting(BatchTally::inputRows).containsExactly(1L, 1L);
  }

  @Test
  void deletedCheckpointIsRefusedAndNothingIsCountedTwice() throws Exception {
    TestPipeline pipeline = streamed();
    FileUtils.deleteDirectory(new java.io.File(pipeline.tables().aggregateCheckpoint()));
    FileUtils.deleteDirectory(new java.io.File(pipeline.tables().ingestCheckpoint()));

    assertThat(catchThrowableOfType(UnsafeEnvironmentException.class, pipeline::aggregate))
        .hasMessageContaining(pipeline.tables().aggregateCheckpoint() + " is gone")
        .extracting(UnsafeEnvironmentException::exitCode)
        .isEqualTo(5);
    assertThat(catchThrowableOfType(UnsafeEnvironmentException.class, pipeline::ingest))
        .hasMessageContaining(pipeline.tables().ingestCheckpoint() + " is gone")
        .extracting(UnsafeEnvironmentException::exitCode)
        .isEqualTo(5);
    assertThat(pipeline.read(pipeline.tables().archive()).count()).isEqualTo(1);
  }

  @Test
  void settingThatTheCheckpointKeepsIsNamed() throws Exception {
    TestPipeline pipeline = streamed();
    pipeline.spark().conf().set(SHUFFLE_PARTITIONS, "3");
    try {
      pipeline.aggregate();
    } finally {
      pipeline.spark().conf().set(SHUFFLE_PARTITIONS, "1");
    }

    assertThat(pipeline.messages())
        .containsExactly(
            "spark.sql.shuffle.partitions=3 has no effect here: checkpoint %s was begun with 1 and keeps it."
                .formatted(pipeline.tables().aggregateCheckpoint()));
  }

  @Test
  void addedMeasureIsRefusedOnTheOldTables() throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml);
    var changed = pipeline.yaml().with("measures", "{values: count(value), more: count}");

    assertThatThrownBy(() -> pipeline.openedWith(changed))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("  measures")
        .hasMessageContaining("build a new generation beside the live one with 'tidemark rebuild'")
        .extracting(e -> ((SpecException) e).exitCode())
        .isEqualTo(2);
  }

  @Test
  void settledRowChangedByHandMakesVerifyEndWithThree() throws Exception {
    TestPipeline pipeline = streamed();
    pipeline.close();
    assertThat(run(pipeline, "verify")).isZero();

    pipeline
        .spark()
        .sql(
            "UPDATE "
                + pipeline.format().relation(pipeline.tables().aggregates())
                + " SET event_count = event_count + 1");

    assertThat(run(pipeline, "verify")).isEqualTo(3);
  }

  @Test
  void terminatedStreamEndsWithZeroAfterItsBatch() throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml);
    pipeline.land(Events.file("a", Events.at("e-1", "A", NOON)));
    ChildJvm child = ChildJvm.start(pipeline, List.of(), "stream", "--trigger", "1s");
    Await.until(
        "the child has counted the event",
        () -> !pipeline.shown().isEmpty() || !child.process().isAlive());
    child.terminate();

    assertThat(child.exitCode()).as(child.said()).isZero();
    pipeline.stream();
    assertThat(pipeline.measures().get(new Group(NOON, "A")).eventCount()).isEqualTo(1);
  }

  @Test
  void withTheSettingsThatAUserGetsTheNumbersAreTheSame() throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml);
    pipeline.land(Events.file("a", Events.at("e-1", "A", NOON), Events.at("e-2", "B", NOON)));
    assertThat(streamWithDefaults(pipeline)).isZero();
    assertThat(stateFiles(pipeline))
        .as("RocksDB's changelog")
        .anyMatch(f -> f.endsWith(".changelog"));
    // A copy of an event that the state of the first run knows, and a new one.
    pipeline.land(Events.file("b", Events.at("e-1", "A", NOON), Events.at("e-3", "A", NOON)));
    assertThat(streamWithDefaults(pipeline)).isZero();

    assertThat(pipeline.measures().get(new Group(NOON, "A")).eventCount()).isEqualTo(2);
    assertThat(pipeline.measures().get(new Group(NOON, "B")).eventCount()).isEqualTo(1);
  }

  private static int streamWithDefaults(TestPipeline pipeline) throws Exception {
    return ChildJvm.startWithDefaults(pipeline, "stream", "--available-now").exitCode();
  }

  private static List<String> stateFiles(TestPipeline pipeline) throws IOException {
    try (Stream<Path> files =
        Files.walk(Path.of(pipeline.tables().aggregateCheckpoint(), "state"))) {
      return files.map(Path::toString).toList();
    }
  }

  @Test
  void deadQueryEndsTheProcessWithAnError() throws Exception {
    TestPipeline pipeline = streamed();
    pipeline.land(Events.file("b", Events.at("e-2", "A", NOON)));
    pipeline.ingest();
    removeDataFiles(pipeline.tables().archive().value());
    ChildJvm child = ChildJvm.start(pipeline, List.of(), "stream", "--trigger", "1s");

    Await.until(
        "the child says what it died of",
        () -> child.said().contains("The query aggregate-events-g1 died"));
    assertThat(child.process().waitFor(10, TimeUnit.SECONDS)).as("it has ended").isTrue();
    assertThat(child.exitCode()).as(child.said()).isEqualTo(1);
  }

  private TestPipeline streamed() throws IOException {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml);
    pipeline.land(Events.file("a", new Event("e-1", "A", NOON, NOON, 1L)));
    pipeline.stream();
    return pipeline;
  }

  private static int run(TestPipeline pipeline, String... verb) {
    return Tidemark.run(pipeline.commandLine(verb).toArray(String[]::new));
  }

  private static void removeDataFiles(String table) throws IOException {
    try (var files = Files.walk(Path.of(table))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".parquet")).toList()) {
        Files.delete(file);
      }
    }
  }
}
