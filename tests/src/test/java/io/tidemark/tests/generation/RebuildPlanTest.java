package io.tidemark.tests.generation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.reconcile.generation.DiskSpace;
import io.tidemark.reconcile.generation.RebuildJob;
import io.tidemark.reconcile.generation.RebuildPlan;
import io.tidemark.reconcile.generation.RebuildRequest;
import io.tidemark.spec.error.DataRefusedException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tests.harness.PipelineYaml;
import io.tidemark.tests.harness.TestPipeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused before anything is written, on one pipeline for all tests. */
@Tag("spark")
class RebuildPlanTest {

  private static final DiskSpace ENOUGH = folder -> OptionalLong.of(Long.MAX_VALUE);

  @TempDir private static Path directory;

  private static TestPipeline pipeline;

  @BeforeAll
  static void stream() throws Exception {
    pipeline = FortyDays.streamed(directory);
  }

  private static String generations() {
    return pipeline.setup(pipeline.yaml()).open().generations().inWords();
  }

  private static RebuildRequest told(Duration rewind) {
    return new RebuildRequest(false, Optional.of(rewind), Optional.empty(), false);
  }

  @Test
  void aRewindThatIsTooShortIsRefusedWithTheSmallestThatWouldDo() {
    RebuildJob job = FortyDays.job(pipeline, ENOUGH, message -> {});
    RebuildPlan computed = job.plan(RebuildRequest.COMPUTED).orElseThrow();
    // The boundary is the last day's start, the latest event is of its noon.
    Duration needed = Duration.ofHours(12).plusSeconds(1);
    assertThat(computed.rewind().orElseThrow().needed()).isEqualTo(needed);

    assertThatThrownBy(() -> job.plan(told(Duration.ofHours(3))))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("--rewind 3h is too short by 32401s")
        .hasMessageContaining("Events from 2026-04-11T00:00:00Z to 2026-04-11T09:00:00Z")
        .hasMessageContaining("Give --rewind 43201s or more");
    assertThat(job.plan(told(needed)).orElseThrow().rewind().orElseThrow().excess()).isZero();
    assertThat(generations()).isEqualTo("g1 live");
  }

  @Test
  void withoutRoomNothingIsBegun() {
    RebuildJob job = FortyDays.job(pipeline, folder -> OptionalLong.of(10), message -> {});

    assertThatThrownBy(() -> job.plan(RebuildRequest.COMPUTED))
        .isInstanceOf(DataRefusedException.class)
        .hasMessageContaining("and 10 are free")
        .hasMessageContaining("tidemark retire");
    assertThat(generations()).isEqualTo("g1 live");
  }

  @Test
  void whereRoomCannotBeKnownTheBuildGoesOn() {
    RebuildJob job = FortyDays.job(pipeline, folder -> OptionalLong.empty(), message -> {});

    assertThat(job.plan(RebuildRequest.COMPUTED).orElseThrow().need().free()).isEmpty();
  }

  @Test
  void anArchiveThatWouldBeReadOtherwiseIsRefused() {
    PipelineYaml other = pipeline.yaml().withMaxFutureSkew("1h");
    RebuildJob job =
        new RebuildJob(
            pipeline.spark(),
            pipeline.setup(other),
            other.spec(),
            pipeline.format(),
            TestPipeline.CLOCK,
            "run",
            ENOUGH,
            message -> {});

    assertThatThrownBy(() -> job.plan(RebuildRequest.COMPUTED))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("event.max-future-skew: was 5m, is 1h")
        .hasMessageContaining("can't be rebuilt from");
  }
}
