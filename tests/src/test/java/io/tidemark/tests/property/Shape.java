package io.tidemark.tests.property;

import io.tidemark.tests.harness.PipelineYaml;
import io.tidemark.tests.oracle.Event;
import io.tidemark.tests.oracle.Rules;
import io.tidemark.tests.oracle.Windows;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is counted by what, in the words of the pipeline file and in the oracle's. */
enum Shape {
  TUMBLING(101) {
    @Override
    PipelineYaml of(PipelineYaml yaml) {
      return yaml;
    }

    @Override
    Rules rules() {
      return Rules.countingAll(Seeds.LIMITS, Windows.tumbling(Duration.ofMinutes(1)));
    }
  },

  /** The size is no multiple of the slide: an event is in two windows or in three. */
  HOPPING(104) {
    @Override
    PipelineYaml of(PipelineYaml yaml) {
      return yaml.with("window", "{hopping: {size: 10m, slide: 4m}}")
          .with("tables", "{partition: hour}");
    }

    @Override
    Rules rules() {
      return Rules.countingAll(
          Seeds.LIMITS, new Windows(Duration.ofMinutes(10), Duration.ofMinutes(4)));
    }
  },

  /** Windows that do not divide a day, by the first letter of the key, without negative values. */
  FILTERED_AND_DERIVED(107) {
    @Override
    PipelineYaml of(PipelineYaml yaml) {
      return yaml.with("window", "{tumbling: 7m}")
          .with("filter", "value IS NULL OR value >= 0")
          .with("derive", "{initial: 'substring(key, 1, 1)'}")
          .with("keys", "[initial]");
    }

    @Override
    Rules rules() {
      return Rules.countingAll(Seeds.LIMITS, Windows.tumbling(Duration.ofMinutes(7)))
          .where(event -> event.value() == null || event.value() >= 0)
          .keyedBy(Shape::initial);
    }
  };

  private final long firstSeed;

  Shape(long firstSeed) {
    this.firstSeed = firstSeed;
  }

  /** Of those that go through the whole product. */
  long firstSeed() {
    return firstSeed;
  }

  abstract PipelineYaml of(PipelineYaml yaml);

  abstract Rules rules();

  PipelineYaml yaml(PipelineYaml plain) {
    return of(plain).withMaxFutureSkew("30s");
  }

  private static @Nullable String initial(Event event) {
    String key = event.key();
    return key == null ? null : key.substring(0, Math.min(1, key.length()));
  }
}
