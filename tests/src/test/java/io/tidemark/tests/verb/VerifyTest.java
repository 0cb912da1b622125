package io.tidemark.tests.verb;

import static io.tidemark.tests.harness.TwoNights.DAY;
import static io.tidemark.tests.harness.TwoNights.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ingest.AggregateJob;
import io.tidemark.ingest.StopSignal;
import io.tidemark.ingest.StreamRun;
import io.tidemark.ingest.StreamRun.Pace;
import io.tidemark.reconcile.BothModesJob;
import io.tidemark.reconcile.BothModesJob.Comparison;
import io.tidemark.reconcile.VerifyJob.Verification;
import io.tidemark.reconcile.WindowBalance.Residual;
import io.tidemark.tables.Generation;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tests.harness.AlwaysOn;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.harness.TwoNights;
import io.tidemark.tests.oracle.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The balance of each window, and a day in both modes. */
@Tag("spark")
class VerifyTest {

  @TempDir Path directory;

  private TestPipeline pipeline;

  @Test
  void eachWindowIsBalancedUntilALeftOutEventCannotBeExplained() throws Exception {
    pipeline = TestPipeline.in(directory, yaml -> yaml);
    try (AlwaysOn stream = pipeline.alwaysOn()) {
      TwoNights.arriveBeforeFirst(stream);
      pipeline.settle();
      TwoNights.arriveBeforeSecond(stream);
      pipeline.settle();
      pipeline.unsettle("once more");
      pipeline.settle();
    }
    Verification verified = pipeline.verify();
    assertThat(verified.differing()).isZero();
    assertThat(verified.balance().windows()).isEqualTo(2);
    assertThat(verified.balance().unexplained()).as(verified.balance() + "").isZero();

    // Without the first day's corrections its estimate seems to have been exact.
    pipeline
        .spark()
        .sql("ALTER TABLE " + relation() + " SET TBLPROPERTIES ('delta.appendOnly' = 'false')");
    pipeline.spark().sql("DELETE FROM " + relation() + " WHERE settlement = 1");

    Verification unexplained = pipeline.verify();
    assertThat(unexplained.differing()).as("a residual fails no recount that agrees").isZero();
    assertThat(unexplained.balance().examples())
        .containsExactly(new Residual(NOON, NOON.plusSeconds(60), 5, 3, 3, 0, -1));
  }

  private String relation() {
    return pipeline.format().relation(pipeline.tables().corrections());
  }

  @Test
  void aDayIsTheSameInBothModesUnlessTheStreamCountsOtherwise() throws Exception {
    pipeline = TestPipeline.in(directory, yaml -> yaml);
    Event first = Events.at("e-1", "A", NOON);
    pipeline.land(Events.file("a", first, Events.at("e-2", null, NOON.plusSeconds(90))));
    pipeline.ingest();
    pipeline.land(Events.file("b", first, Events.at("e-3", "A", NOON.plus(DAY))));
    pipeline.ingest();
    // Late, and a copy with another value in a file whose name comes first.
    Event unlike = new Event("e-1", "A", NOON, NOON, 7L);
    pipeline.land(Events.file("A", unlike, Events.at("e-5", "B", NOON)));
    pipeline.ingest();

    JsonNode compared = pipeline.answer(0, "verify", "--both-modes", "2026-03-01");
    assertThat(compared.get("agreed").asLong()).isEqualTo(2);
    assertThat(compared.get("unlike_copies").asLong()).isEqualTo(1);
    assertThat(compared.get("runs").asLong()).isEqualTo(2);
    assertThat(pipeline.answer(0, "verify", "--both-modes", "2026-03-09").get("agreed").asLong())
        .as("an empty day")
        .isZero();
    assertThat(Path.of(pipeline.tables().bothModes()))
        .as("its own tables are gone")
        .isEmptyDirectory();

    Comparison broken = compareWithABrokenStream();
    assertThat(broken.agreed()).isEqualTo(1);
    assertThat(broken.unlikeCopies()).isEqualTo(1);
    assertThat(broken.differing()).isEqualTo(1);
    assertThat(broken.differences().get(0).key()).isEqualTo("{\"key\":\"B\"}");
  }

  private Comparison compareWithABrokenStream() {
    return new BothModesJob(pipeline.spark(), pipeline.spec(), pipeline.tables(), pipeline.format())
        .run(
            LocalDate.parse("2026-03-01"),
            new PipelineTables(directory.resolve("scratch").toString(), Generation.FIRST),
            (spec, tables) -> {
              new StreamRun(Duration.ofMinutes(1), message -> {})
                  .run(
                      List.of(
                          new AggregateJob(
                              pipeline.spark(),
                              spec,
                              tables,
                              pipeline.format(),
                              TestPipeline.CLOCK)),
                      new Pace.AvailableNow(),
                      new StopSignal());
              pipeline
                  .spark()
                  .sql(
                      "UPDATE %s SET event_count = 3 WHERE key = 'B'"
                          .formatted(pipeline.format().relation(tables.aggregates())));
            });
  }
}
