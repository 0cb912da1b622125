package io.tidemark.tests.generation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tests.harness.ChildJvm;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.InterruptingLogStore;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.harness.TwoNights;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A generation's way to be live, whose jobs die after each of their commits, and are run again. */
@Tag("spark")
class KilledRebuildTest {

  @TempDir private Path directory;

  private TestPipeline pipeline;

  private void dies(String table, int commit, String... verb) throws Exception {
    ChildJvm child = ChildJvm.start(pipeline, InterruptingLogStore.haltAfter(table, commit), verb);
    assertThat(child.exitCode()).as(child.said()).isEqualTo(InterruptingLogStore.EXIT_CODE);
  }

  private String generations() {
    return pipeline.setup(FortyDays.changed(pipeline)).open().generations().inWords();
  }

  @Test
  void whateverDiesIsRunAgainAndNothingIsLostOrDouble() throws Exception {
    pipeline = FortyDays.streamed(directory);
    Files.writeString(pipeline.file(), FortyDays.changed(pipeline).text());

    dies("generations", 1, "rebuild");
    assertThat(generations()).isEqualTo("g1 live, g2 building");
    // After the first step, and after the settlement that says that there are no more.
    dies("g2/aggregates", 1, "rebuild");
    dies("g2/aggregates", 2, "rebuild");
    dies("g2/progress", 1, "rebuild");
    assertThat(generations()).isEqualTo("g1 live, g2 building");
    dies("generations", 1, "rebuild");
    assertThat(generations()).isEqualTo("g1 live, g2 candidate");
    assertThat(pipeline.answer(0, "rebuild").get("state").asText()).isEqualTo("nothing-to-build");

    pipeline.land(Events.file("d", Events.at("e-5", "B", FortyDays.LATER.plus(TwoNights.DAY))));
    dies("g2/aggregates", 1, "stream", "--available-now");
    pipeline.answer(0, "stream", "--available-now");
    pipeline.answer(0, "settle");
    assertThat(pipeline.answer(0, "compare").at("/rows/equal").asLong()).isEqualTo(3);

    dies("generations", 1, "promote", "--wait", "0s");
    assertThat(generations()).isEqualTo("g1 kept, g2 live");
    assertThat(pipeline.answer(2, "promote").get("error").asText())
        .contains("There is no candidate to promote (g1 kept, g2 live)");
    assertThat(pipeline.answer(0, "verify", "--generation", "g2").at("/counts/agreed").asLong())
        .isEqualTo(3);
    assertThat(
            pipeline
                .answer(0, "sql", "SELECT sum(event_count) n FROM events")
                .at("/rows/0/n")
                .asLong())
        .isEqualTo(6);
  }
}
