package io.tidemark.tests.generation;

import io.tidemark.reconcile.generation.DiskSpace;
import io.tidemark.reconcile.generation.RebuildJob;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.PipelineYaml;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.harness.TwoNights;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/** A pipeline whose archive is so long that a rebuild takes two steps. */
final class FortyDays {

  static final Instant LATER = TwoNights.NOON.plus(Duration.ofDays(40));

  private FortyDays() {}

  /** Streamed: two days that lie 40 days apart, the first with a late event, and the day after. */
  static TestPipeline streamed(Path directory) throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml.withMaxAge("90d"));
    pipeline.land(
        Events.file(
            "a",
            Events.at("e-1", "A", TwoNights.NOON),
            Events.at("e-2", "B", TwoNights.NOON.plusSeconds(90))));
    pipeline.stream();
    pipeline.land(Events.file("b", Events.at("e-3", "A", LATER)));
    pipeline.stream();
    pipeline.land(
        Events.file(
            "c",
            Events.at("late", "A", TwoNights.NOON),
            Events.at("e-4", "A", LATER.plus(TwoNights.DAY))));
    pipeline.stream();
    return pipeline;
  }

  /** The same measures and one more. */
  static PipelineYaml changed(TestPipeline pipeline) {
    return pipeline
        .yaml()
        .with("measures", "{values: count(value), total: sum(value), more: max(value)}");
  }

  static RebuildJob job(TestPipeline pipeline, DiskSpace space, Consumer<String> messages) {
    PipelineYaml file = changed(pipeline);
    return new RebuildJob(
        pipeline.spark(),
        pipeline.setup(file),
        file.spec(),
        pipeline.format(),
        TestPipeline.CLOCK,
        "run",
        space,
        messages);
  }
}
