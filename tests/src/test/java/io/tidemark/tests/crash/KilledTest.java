package io.tidemark.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.reconcile.SettleOutcome;
import io.tidemark.tests.harness.ChildJvm;
import io.tidemark.tests.harness.InterruptingLogStore;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.ArrivalBatch;
import io.tidemark.tests.oracle.GeneratedEvents;
import io.tidemark.tests.oracle.LatenessRule;
import io.tidemark.tests.oracle.Limits;
import io.tidemark.tests.oracle.Oracle;
import io.tidemark.tests.oracle.Rules;
import io.tidemark.tests.oracle.SourceRecord;
import io.tidemark.tests.oracle.StreamSimulation;
import io.tidemark.tests.oracle.Traffic;
import io.tidemark.tests.oracle.Windows;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs that die at each named point, by a halt of their JVM, and are run again: nothing is lost,
 * nothing is double. Trap 16 (between the merge's commit and Spark's own) is among the points.
 */
@Tag("spark")
class KilledTest {

  private static final Limits LIMITS = new Limits(Duration.ofSeconds(30), Duration.ofDays(30));
  private static final Rules RULES =
      Rules.countingAll(LIMITS, Windows.tumbling(Duration.ofMinutes(1)));

  @TempDir Path directory;

  private TestPipeline pipeline;
  private Iterator<ArrivalBatch> arrivals;
  private final List<List<SourceRecord>> arrived = new ArrayList<>();

  @BeforeEach
  void streamOnce() throws Exception {
    pipeline = TestPipeline.in(directory, yaml -> yaml.withMaxFutureSkew("30s"));
    Traffic traffic = Traffic.usual(Instant.parse("2026-03-01T12:00:00Z"), 6, 40);
    arrivals = GeneratedEvents.batches(301, traffic).iterator();
    land();
    pipeline.stream();
  }

  @Test
  void streamThatDiesAtAnyPointLosesAndDoublesNothing() throws Exception {
    land();
    dies("ingest", "archive", 1);
    pipeline.stream();
    land();
    pipeline.ingest();
    dies("aggregate", "aggregates", 1);
    // The merge is there, so its replay is skipped; the first commit is that of the progress.
    dies("aggregate", "progress", 1);
    pipeline.stream();
    land();
    pipeline.ingest();
    // The second step is that of the batch without data, which moves the frontier.
    dies("aggregate", "progress", 2);
    pipeline.stream();
    land();
    pipeline.stream();

    StreamSimulation.Estimate simulated =
        new StreamSimulation(RULES, Duration.ofSeconds(70), LatenessRule.BY_ALL_EARLIER_BATCHES)
            .estimate(arrived);
    assertThat(pipeline.read(pipeline.tables().archive()).count())
        .isEqualTo(pipeline.landed().size());
    assertThat(pipeline.view("_late").count()).isEqualTo(simulated.leftOut().size());
    pipeline.close();
    assertSettledExactlyOnce();
    assertThat(pipeline.ledger().get(0).events().leftOut()).isEqualTo(simulated.leftOut().size());
  }

  @Test
  void settlementThatDiesBeforeItsCommitHasChangedNothing() throws Exception {
    land();
    pipeline.stream();
    var before = pipeline.shown();

    dies("corrections", 1, "settle", "--close", "--reason", "the source has ended");
    assertThat(pipeline.shown()).isEqualTo(before);
    assertThat(pipeline.ledger()).isEmpty();
    assertThat(pipeline.view("_corrections").count())
        .as("corrections of an attempt that was not adopted")
        .isZero();

    assertThat(pipeline.close()).isInstanceOf(SettleOutcome.Adopted.class);
    assertSettledExactlyOnce();
    var ledger = pipeline.ledger().get(0);
    assertThat(pipeline.view("_corrections").count())
        .isEqualTo(ledger.rows().corrected() + ledger.rows().missing() + ledger.rows().phantom());
  }

  @Test
  void settlementThatDiesAfterItsCommitIsCompletedByTheNextRun() throws Exception {
    land();
    pipeline.stream();

    dies("aggregates", 1, "settle", "--close", "--reason", "the source has ended");
    assertThat(pipeline.ledger()).isEmpty();

    assertThat(pipeline.close()).isInstanceOf(SettleOutcome.Nothing.class);
    assertSettledExactlyOnce();
    assertThat(pipeline.ledger().get(0).events().residual()).isZero();
  }

  private void land() throws Exception {
    ArrivalBatch batch = arrivals.next();
    pipeline.land(batch);
    arrived.add(batch.records());
  }

  private void dies(String verb, String table, int commit) throws Exception {
    dies(table, commit, verb, "--available-now");
  }

  private void dies(String table, int commit, String... verb) throws Exception {
    ChildJvm child = ChildJvm.start(pipeline, InterruptingLogStore.haltAfter(table, commit), verb);
    assertThat(child.exitCode()).as(child.said()).isEqualTo(InterruptingLogStore.EXIT_CODE);
  }

  private void assertSettledExactlyOnce() {
    assertThat(pipeline.measures()).isEqualTo(new Oracle(RULES).answer(pipeline.landed()).rows());
    assertThat(pipeline.ledger()).hasSize(1);
    assertThat(pipeline.verify().differing()).isZero();
  }
}
