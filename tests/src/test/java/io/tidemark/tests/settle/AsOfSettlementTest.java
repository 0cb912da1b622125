package io.tidemark.tests.settle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.reconcile.AsOfSettlement;
import io.tidemark.reconcile.PipelineStatus;
import io.tidemark.reconcile.SessionViews;
import io.tidemark.reconcile.SettleOutcome;
import io.tidemark.reconcile.StatusJob;
import io.tidemark.reconcile.VerifyJob;
import io.tidemark.reconcile.VerifyJob.Verification;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tests.harness.AlwaysOn;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.harness.TwoNights;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was reported when an earlier settlement had just been adopted. */
@Tag("spark")
class AsOfSettlementTest {

  @TempDir Path directory;

  private TestPipeline pipeline;

  @Test
  void whatWasReportedThenIsShownAgain() throws Exception {
    pipeline = TestPipeline.in(directory, yaml -> yaml);
    List<String> rows;
    List<String> corrections;
    PipelineStatus status;
    try (AlwaysOn stream = pipeline.alwaysOn()) {
      TwoNights.arriveBeforeFirst(stream);
      assertThat(pipeline.settle()).isInstanceOf(SettleOutcome.Adopted.class);
      rows = view("");
      corrections = view("_corrections");
      status = pipeline.statusAfter(Duration.ZERO);

      TwoNights.arriveBeforeSecond(stream);
      assertThat(pipeline.settle()).isInstanceOf(SettleOutcome.Adopted.class);
    }
    assertThat(view("")).as("now").isNotEqualTo(rows);

    AsOfSettlement first = asOf(1);
    assertThat(view("", first)).isEqualTo(rows);
    assertThat(view("_corrections", first)).isEqualTo(corrections).hasSize(1);
    assertThat(
            new StatusJob(pipeline.spark(), pipeline.tables(), first.tables(), first.clock())
                .run("events"))
        .isEqualTo(status);
    Verification verification =
        new VerifyJob(
                pipeline.spark(), pipeline.spec(), pipeline.tables(), first.tables(), first.clock())
            .run()
            .orElseThrow();
    assertThat(verification.settlement().settlement()).isEqualTo(1);
    assertThat(verification.differing()).isZero();

    assertThat(view("_late", asOf(2))).hasSize(3);
    assertThatThrownBy(() -> asOf(3))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("There is no settlement 3 in the ledger");
  }

  private AsOfSettlement asOf(long settlement) {
    return AsOfSettlement.of(pipeline.format(), pipeline.tables(), settlement);
  }

  private List<String> view(String suffix) {
    return view(suffix, new AsOfSettlement(pipeline.format(), TestPipeline.CLOCK));
  }

  private List<String> view(String suffix, AsOfSettlement moment) {
    new SessionViews(
            pipeline.spark(), pipeline.spec(), pipeline.tables(), moment.tables(), moment.clock())
        .register();
    return pipeline.spark().table("events" + suffix).toJSON().collectAsList().stream()
        .sorted()
        .toList();
  }
}
