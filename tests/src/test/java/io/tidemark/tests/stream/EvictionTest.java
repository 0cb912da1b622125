package io.tidemark.tests.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tests.harness.AlwaysOn;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.TestPipeline;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.streaming.operators.stateful.StreamingDeduplicateExec;
import org.apache.spark.sql.execution.streaming.runtime.StreamingQueryWrapper;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

/** Ids leave the stream's state when their window closes; before, nobody looks for them. */
@Tag("spark")
class EvictionTest {

  @TempDir Path directory;

  @Test
  void idsAreLookedForOnlyWhereAWindowCloses() throws Exception {
    // Windows of a minute; the watermark is 70 s behind.
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml);
    try (AlwaysOn stream = pipeline.alwaysOn()) {
      stream.arrive(Events.file("1", Events.at("a", "k", Instant.parse("2026-03-01T12:00:15Z"))));
      stream.arrive(Events.file("2", Events.at("b", "k", Instant.parse("2026-03-01T12:00:45Z"))));

      // From 11:59:05 to 11:59:35.
      assertThat(looksForIds(stream.aggregate())).isFalse();
      assertThat(idsRemoved(stream.aggregate())).isZero();

      stream.arrive(Events.file("3", Events.at("c", "k", Instant.parse("2026-03-01T12:02:20Z"))));

      // To 12:01:10.
      assertThat(looksForIds(stream.aggregate())).isTrue();
      assertThat(idsRemoved(stream.aggregate())).isEqualTo(2);
    }
  }

  private static boolean looksForIds(StreamingQuery query) {
    SparkPlan plan =
        ((StreamingQueryWrapper) query).streamingQuery().lastExecution().executedPlan();
    return deduplication(plan).orElseThrow().eventTimeWatermarkForEviction().isDefined();
  }

  private static Optional<StreamingDeduplicateExec> deduplication(SparkPlan plan) {
    if (plan instanceof StreamingDeduplicateExec found) {
      return Optional.of(found);
    }
    return CollectionConverters.asJava(plan.children()).stream()
        .map(EvictionTest::deduplication)
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static long idsRemoved(StreamingQuery query) {
    return Arrays.stream(query.recentProgress())
        .flatMap(progress -> Arrays.stream(progress.stateOperators()))
        .filter(operator -> operator.operatorName().equals("dedupe"))
        .mapToLong(operator -> operator.numRowsRemoved())
        .sum();
  }
}
