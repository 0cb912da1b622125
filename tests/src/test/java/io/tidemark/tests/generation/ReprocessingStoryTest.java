package io.tidemark.tests.generation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.PipelineYaml;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.harness.TwoNights;
import io.tidemark.tests.oracle.ArrivalBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A bug in a measure is mended in the pipeline file: refused on the old tables, rebuilt beside them
 * while events go on arriving, compared, promoted, rolled back, retired. A reader asks throughout.
 */
@Tag("spark")
class ReprocessingStoryTest {

  private static final String RIGHT = "{values: count(value), total: sum(value)}";

  /** Each event's value is 1, so that a total is twice what it should be. */
  private static final String WRONG = "{values: count(value), total: sum(value + 1)}";

  private static final Instant NOON = TwoNights.NOON;

  @TempDir private Path directory;

  @Test
  void aBugInAMeasureIsMendedAndTakenBack() throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml.with("measures", WRONG));
    PipelineYaml mended = pipeline.yaml().with("measures", RIGHT);
    arrive(pipeline, Events.file("a", Events.at("e-1", "A", NOON), Events.at("e-2", "B", NOON)));
    arrive(pipeline, Events.file("b", Events.at("e-3", "A", NOON.plus(TwoNights.DAY))));
    arrive(pipeline, Events.file("c", Events.at("late", "A", NOON)));
    pipeline.answer(0, "settle");

    try (Reader reader = Reader.start(pipeline)) {
      Files.writeString(pipeline.file(), mended.text());
      assertThat(pipeline.answer(2, "stream", "--available-now").get("error").asText())
          .contains("measures: was", "tidemark rebuild");
      JsonNode plan = pipeline.answer(0, "plan");
      assertThat(plan.get("change").asText()).isEqualTo("new-generation");
      assertThat(plan.get("archived_records").asLong()).isEqualTo(4);

      JsonNode built = pipeline.answer(0, "rebuild");
      assertThat(built.get("boundary").asText()).isEqualTo("2026-03-02T00:00:00Z");
      // What was archived before the boundary's windows end is not streamed again.
      assertThat(built.get("first_version").asLong()).isEqualTo(2);
      assertThat(pipeline.answer(0, "rebuild").get("state").asText()).isEqualTo("nothing-to-build");

      Instant thirdDay = NOON.plus(TwoNights.DAY.multipliedBy(2));
      JsonNode streamed =
          arrive(
              pipeline,
              Events.file(
                  "d",
                  Events.at("later", "A", NOON),
                  Events.at("new", "C", NOON),
                  Events.at("e-4", "A", thirdDay)));
      assertThat(jobs(streamed)).containsExactly("ingest", "aggregate-g1", "aggregate-g2");
      arrive(pipeline, Events.file("e", Events.at("e-5", "B", thirdDay)));
      JsonNode settled = pipeline.answer(0, "settle");
      assertThat(settled.at("/other_generations/g2/state").asText()).isEqualTo("adopted");
      assertThat(settled.at("/other_generations/g2/settled_through").asText())
          .isEqualTo("2026-03-03T00:00:00Z");

      JsonNode compared =
          pipeline.answer(3, "compare", "--html", html().toString(), "--events", "1");
      assertThat(compared.at("/rows/different").asLong()).isEqualTo(4);
      assertThat(compared.get("compared").asLong()).isEqualTo(4);
      assertThat(compared.at("/differing_by_measure/total").asLong()).isEqualTo(4);
      assertThat(compared.at("/differing_by_measure/values").asLong()).isZero();
      assertThat(compared.at("/differences/0/before").asText()).contains("\"total\":6");
      assertThat(compared.at("/differences/0/after").asText()).contains("\"total\":3");
      // The first row's events, by both.
      assertThat(compared.get("events")).hasSize(2);
      assertThat(compared.at("/events/0/records")).hasSize(3);
      assertThat(compared.at("/events/0/records_by_fate/counted").asLong()).isEqualTo(1);
      assertThat(compared.at("/events/0/records_by_fate/left-out").asLong()).isEqualTo(2);
      assertThat(compared.at("/events/1/records_by_fate/built").asLong()).isEqualTo(2);
      assertThat(compared.at("/events/1/records_by_fate/left-out").asLong()).isEqualTo(1);
      assertThat(Files.readString(html())).contains("<td class=\"differs\">5</td>");

      assertThat(pipeline.answer(3, "promote").get("error").asText())
          .contains("4 of 4 rows of g2 differ from g1");
      assertThat(pipeline.answer(2, "compare", "--expect", "sum").get("error").asText())
          .contains("no measure that both generations have; they are: values, total, event_count");
      assertThat(pipeline.answer(3, "compare", "--expect", "values").get("differing").asLong())
          .isEqualTo(4);
      JsonNode expected = pipeline.answer(0, "compare", "--expect", "total");
      assertThat(expected.at("/rows/expected").asLong()).isEqualTo(4);
      assertThat(expected.get("differing").asLong()).isZero();
      assertThat(pipeline.answer(2, "canary", "100%").get("error").asText()).contains("promote");
      pipeline.answer(0, "canary", "50%");
      assertThat(totals(pipeline, "--conf", "tidemark.canary=on")).isEqualTo("g2 8 8");
      assertThat(totals(pipeline, "--conf", "tidemark.canary=off")).isEqualTo("g1 8 16");
      // Whoever runs this test is one of the two, the same each time.
      String seen = totals(pipeline, "--conf", "tidemark.canary=");
      assertThat(seen).isIn("g2 8 8", "g1 8 16").isEqualTo(totals(pipeline));
      pipeline.answer(0, "canary", "off");
      assertThat(totals(pipeline)).isEqualTo("g1 8 16");
      pipeline.answer(0, "promote");
      assertThat(totals(pipeline)).isEqualTo("g2 8 8");
      assertProven(pipeline);
      assertProven(pipeline, "--generation", "g1");

      arrive(pipeline, Events.file("f", Events.at("e-6", "B", thirdDay)));
      assertThat(totals(pipeline)).isEqualTo("g2 9 9");
      pipeline.answer(0, "roll-back");
      assertThat(totals(pipeline)).isEqualTo("g1 9 18");
      reader.hasSeen("g1", "g2");
    }

    assertThat(pipeline.answer(2, "retire", "g2").get("error").asText()).contains("was live until");
    assertThat(pipeline.answer(0, "retire").get("retired").isEmpty()).isTrue();
    pipeline.answer(0, "retire", "g2", "--at-least", "0s");
    assertThat(Path.of(pipeline.tables().root(), "g2")).doesNotExist();
    assertThat(Path.of(pipeline.tables().root(), "_checkpoints", "g2")).doesNotExist();
    // The mended file has no generation any more.
    assertThat(pipeline.answer(2, "settle").get("error").asText()).contains("tidemark rebuild");
  }

  private Path html() {
    return directory.resolve("difference.html");
  }

  /** Lands a file and streams it, by a process that runs as long as there is something to read. */
  private static JsonNode arrive(TestPipeline pipeline, ArrivalBatch file) throws Exception {
    pipeline.land(file);
    return pipeline.answer(0, "stream", "--available-now");
  }

  private static List<String> jobs(JsonNode streamed) {
    List<String> names = new ArrayList<>();
    streamed.get("jobs").forEach(job -> names.add(job.get("job").asText()));
    return names;
  }

  /** The live generation, its events and the sum of its totals. */
  private static String totals(TestPipeline pipeline, String... options) throws Exception {
    List<String> verb = new ArrayList<>();
    verb.add("sql");
    verb.add("SELECT any_value(generation) g, sum(values) n, sum(total) t FROM events");
    verb.addAll(List.of(options));
    JsonNode row = pipeline.answer(0, verb.toArray(String[]::new)).at("/rows/0");
    return "%s %s %s"
        .formatted(row.get("g").asText(), row.get("n").asText(), row.get("t").asText());
  }

  private static void assertProven(TestPipeline pipeline, String... options) throws Exception {
    List<String> verb = new ArrayList<>(List.of("verify"));
    verb.addAll(List.of(options));
    JsonNode verified = pipeline.answer(0, verb.toArray(String[]::new));
    assertThat(verified.get("state").asText()).isEqualTo("equal");
    assertThat(verified.at("/counts/agreed").asLong()).isEqualTo(4);
    assertThat(verified.get("windows").asLong()).isPositive();
    assertThat(verified.get("windows_unexplained").asLong()).isZero();
  }
}
