package io.tidemark.tests.generation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ingest.BatchTally;
import io.tidemark.ingest.StopSignal;
import io.tidemark.ingest.StreamRun;
import io.tidemark.ingest.StreamRun.Pace;
import io.tidemark.tables.Generation;
import io.tidemark.tests.harness.Await;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.PipelineYaml;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.harness.TwoNights;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events get a column more: archived from then on, and counted by the next generation. */
@Tag("spark")
class NewColumnTest {

  private static final Instant NOON = TwoNights.NOON;
  private static final String MEASURES = "{values: count(value), total: sum(value)";

  @TempDir private Path directory;

  private static void use(TestPipeline pipeline, PipelineYaml file) throws Exception {
    Files.writeString(pipeline.file(), file.text());
  }

  /** Lands an event that has a gate. */
  private void landWithGate(String name, Instant happened, String gate) throws Exception {
    Files.writeString(
        directory.resolve("landing").resolve(name + ".json"),
        "{\"id\":\"%s\",\"key\":\"A\",\"happened_at\":\"%s\",\"arrived_at\":\"%s\",\"value\":5,\"gate\":%s}\n"
            .formatted(name, happened, happened, gate));
  }

  private static TestPipeline streamed(Path directory) throws Exception {
    TestPipeline pipeline =
        TestPipeline.in(directory, yaml -> yaml.with("measures", MEASURES + "}"));
    pipeline.land(Events.file("a", Events.at("e-1", "A", NOON)));
    pipeline.stream();
    return pipeline;
  }

  @Test
  void aNewColumnIsArchivedFromThenOnAndCountedByTheNextGeneration() throws Exception {
    TestPipeline pipeline = streamed(directory);
    PipelineYaml older = pipeline.yaml();
    PipelineYaml wider = older.withColumn("gate STRING");
    use(pipeline, wider);

    JsonNode plan = pipeline.answer(0, "plan");
    assertThat(plan.get("change").asText()).isEqualTo("nothing");
    assertThat(plan.at("/new_columns/0").asText()).isEqualTo("gate string");
    // Who does not ingest needs no new column.
    pipeline.answer(0, "settle");
    assertThat(pipeline.answer(0, "rebuild").get("state").asText()).isEqualTo("nothing-to-build");

    landWithGate("e-2", NOON.plus(TwoNights.DAY), "\"B7\"");
    landWithGate("e-3", NOON.plus(TwoNights.DAY), "null");
    pipeline.answer(0, "stream", "--available-now");
    pipeline.answer(0, "settle");
    assertThat(
            pipeline
                .read(pipeline.tables().archive())
                .selectExpr("event.id", "event.gate")
                .orderBy("id")
                .collectAsList()
                .stream()
                .map(Row::mkString))
        .isEqualTo(List.of("e-1null", "e-2B7", "e-3null"));
    assertThat(pipeline.answer(0, "plan").get("new_columns")).isEmpty();
    assertThat(pipeline.answer(0, "verify").at("/counts/agreed").asLong()).isEqualTo(1);

    // An older file goes on settling, but must not archive without the column.
    use(pipeline, older);
    pipeline.answer(0, "verify");
    assertThat(pipeline.answer(2, "ingest", "--available-now").get("error").asText())
        .contains("its column 6 of the event is 'gate string'", "it may be an older one");

    PipelineYaml counting = wider.with("measures", MEASURES + ", gates: count(gate)}");
    use(pipeline, counting);
    assertThat(pipeline.answer(0, "plan").get("change").asText()).isEqualTo("new-generation");
    pipeline.answer(0, "rebuild");
    landWithGate("e-4", NOON.plus(TwoNights.DAY.multipliedBy(2)), "\"B8\"");
    pipeline.answer(0, "stream", "--available-now");
    pipeline.answer(0, "settle");
    assertThat(pipeline.answer(0, "compare").at("/rows/equal").asLong()).isEqualTo(2);
    pipeline.answer(0, "promote", "--wait", "0s");
    assertThat(
            pipeline
                .read(pipeline.tables().of(new Generation(2)).aggregates())
                .orderBy("window_start")
                .selectExpr("gates")
                .collectAsList()
                .stream()
                .map(row -> row.getLong(0)))
        .isEqualTo(List.of(0L, 1L, 1L));
  }

  @Test
  void anotherColumnIsNeverPutInAColumnsPlace() throws Exception {
    TestPipeline pipeline = streamed(directory);
    String schema = "id STRING, key STRING, happened_at TIMESTAMP, arrived_at TIMESTAMP, ";

    use(pipeline, pipeline.yaml().withSchema(schema + "value DOUBLE"));
    assertThat(pipeline.answer(2, "stream", "--available-now").get("error").asText())
        .contains("was value bigint, is value double");
    assertThat(pipeline.answer(0, "plan").get("change").asText()).isEqualTo("other-archive");
    use(pipeline, pipeline.yaml().withSchema(schema + "gate STRING, value BIGINT"));
    assertThat(pipeline.answer(2, "rebuild").get("error").asText())
        .contains("only new columns at the end of event.schema are no change");

    use(pipeline, pipeline.yaml().withColumn("gate STRING"));
    pipeline.answer(0, "ingest", "--available-now");
    use(pipeline, pipeline.yaml().withColumn("gate BIGINT"));
    assertThat(pipeline.answer(2, "ingest", "--available-now").get("error").asText())
        .contains("is 'gate string', and the file has 'gate bigint' there");
  }

  @Test
  void anImportBringsNewColumnsToo() throws Exception {
    TestPipeline pipeline = streamed(directory);
    use(pipeline, pipeline.yaml().withColumn("gate STRING"));
    landWithGate("e-2", NOON, "\"B7\"");

    pipeline.answer(0, "import", directory.resolve("landing/e-2.json").toString());

    assertThat(pipeline.read(pipeline.tables().archive()).filter("event.gate = 'B7'").count())
        .isEqualTo(1);
  }

  @Test
  void aStreamThatRunsGoesOnWhereAnotherProcessBringsTheColumn() throws Exception {
    TestPipeline pipeline = streamed(directory);
    StopSignal stop = new StopSignal();
    List<String> messages = Collections.synchronizedList(new ArrayList<>());
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      Future<List<BatchTally>> running =
          executor.submit(
              () ->
                  new StreamRun(Duration.ofMinutes(1), messages::add)
                      .run(
                          List.of(pipeline.aggregateJob()),
                          new Pace.Every(Duration.ofMillis(100)),
                          stop));
      Await.until("it runs", () -> pipeline.spark().streams().active().length == 1);
      use(pipeline, pipeline.yaml().withColumn("gate STRING"));
      landWithGate("e-2", NOON.plus(TwoNights.DAY), "\"B7\"");
      pipeline.answer(0, "ingest", "--available-now");

      Await.until(
          "it has counted what came with the column",
          () -> pipeline.read(pipeline.tables().aggregates()).count() == 2 || running.isDone());
      stop.request();
      assertThat(running.get()).hasSize(1);
    } finally {
      executor.shutdownNow();
    }
    assertThat(pipeline.read(pipeline.tables().aggregates()).count()).isEqualTo(2);
    assertThat(messages).contains("Starting aggregate-g1 anew: the archive has new columns.");
  }
}
