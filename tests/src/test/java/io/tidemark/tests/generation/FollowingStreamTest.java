package io.tidemark.tests.generation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.tests.harness.Await;
import io.tidemark.tests.harness.ChildJvm;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.harness.TwoNights;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One {@code tidemark stream} that runs through all of a candidate's life. */
@Tag("spark")
class FollowingStreamTest {

  private static final Instant NOON = TwoNights.NOON;

  @TempDir private Path directory;

  @Test
  void aRunningStreamFeedsACandidateAndLetsARetiredOneGo() throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml);
    String mended =
        pipeline.yaml().with("measures", "{values: count(value), total: sum(value)}").text();
    pipeline.land(Events.file("a", Events.at("e-1", "A", NOON)));
    pipeline.stream();
    pipeline.land(Events.file("b", Events.at("e-2", "A", NOON.plus(TwoNights.DAY))));
    pipeline.stream();
    ChildJvm stream = ChildJvm.start(pipeline, List.of(), "stream", "--trigger", "500ms");
    try {
      Files.writeString(pipeline.file(), mended);
      pipeline.answer(0, "rebuild");
      Await.until(
          "the candidate is fed",
          () -> stream.said().contains("Starting aggregate-g2 beside the live one."));

      pipeline.land(Events.file("c", Events.at("e-3", "B", NOON.plus(TwoNights.DAY))));
      pipeline.answer(0, "settle");
      pipeline.answer(0, "compare");
      pipeline.answer(0, "promote", "--wait", "2m", "--behind", "0s");
      JsonNode rows =
          pipeline.answer(0, "sql", "SELECT generation, sum(values) n FROM events GROUP BY 1");
      assertThat(rows.at("/rows/0/generation").asText()).isEqualTo("g2");
      Await.until(
          "both roles have changed",
          () ->
              stream.said().contains("Starting aggregate-g1 anew: it is beside the live one now."));

      pipeline.answer(0, "retire", "g1", "--at-least", "0s");
      assertThat(stream.said()).contains("Stopping aggregate-g1: it is not wanted any more.");
      assertThat(stream.process().isAlive()).isTrue();
      pipeline.land(Events.file("d", Events.at("e-4", "B", NOON.plus(TwoNights.DAY))));
      Await.until("g2 is fed alone", () -> events(pipeline) == 4);
      stream.terminate();
      assertThat(stream.exitCode()).as(stream.said()).isZero();
    } finally {
      stream.process().destroyForcibly();
    }
  }

  private static long events(TestPipeline pipeline) {
    try {
      return pipeline
          .answer(0, "sql", "SELECT coalesce(sum(values), 0) n FROM events")
          .at("/rows/0/n")
          .asLong();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
