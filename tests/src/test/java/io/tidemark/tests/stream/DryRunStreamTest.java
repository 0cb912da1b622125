package io.tidemark.tests.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.reconcile.SettleOutcome;
import io.tidemark.tests.harness.AlwaysOn;
import io.tidemark.tests.harness.DryRunEvents;
import io.tidemark.tests.harness.LedgerRow;
import io.tidemark.tests.harness.ShownRow;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.ArrivalBatch;
import io.tidemark.tests.oracle.Group;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dry run of {@code cases/dry_run.csv} through the whole product: a window of a minute, bound
 * 10 s, allowed lateness 60 s, one arrival a micro-batch. What is on time follows from the latest
 * event time seen less the bound; what is closed, from that less 70 s.
 */
@Tag("spark")
class DryRunStreamTest {

  private static final Group THE_WINDOW = new Group(Instant.parse("2026-03-01T12:00:00Z"), "A");

  @TempDir Path directory;

  @Test
  void everyStepShowsItsCountAndHowFinalItIs() throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml);
    Map<String, String> shown = new LinkedHashMap<>();
    try (AlwaysOn stream = pipeline.alwaysOn()) {
      for (ArrivalBatch arrival : DryRunEvents.arrivals()) {
        stream.arrive(arrival);
        shown.put(arrival.fileName().replace(".jsonl", ""), theWindow(pipeline));
      }

      assertThat(shown)
          .containsExactly(
              Map.entry("e1", "1 open"),
              Map.entry("e2", "2 open"),
              Map.entry("e3", "3 open"),
              Map.entry("e4", "3 on-time"), // 12:01:15 − 10 s is past the window's end
              Map.entry("e6", "4 on-time"), // late, and allowed to be
              Map.entry("e5", "4 closed"), // 12:02:20 − 70 s is past the window's end
              Map.entry("e7", "4 closed"), // left out
              Map.entry("e8", "4 closed"));
      assertThat(leftOut(pipeline)).containsExactly("c-7 left out of 2026-03-01T12:00:00Z");

      assertThat(pipeline.settle()).isInstanceOf(SettleOutcome.Adopted.class);
      assertThat(theWindow(pipeline)).isEqualTo("5 settled");
    }
    assertThat(pipeline.ledger())
        .containsExactly(
            new LedgerRow(
                1,
                Instant.parse("2026-03-02T00:00:00Z"),
                new LedgerRow.Kinds(2, 1, 0, 0),
                new LedgerRow.Records(8, 0, 0, 8),
                new LedgerRow.Events(7, 7, 0, 6, 1, 0)));
    assertThat(corrections(pipeline)).containsExactly("1 corrected A 12:00:00 4 -> 5");
    assertThat(pipeline.verify().differing()).isZero();
    assertThat(pipeline.settle())
        .isEqualTo(
            new SettleOutcome.Nothing(
                "the frontier 2026-03-02T00:00:50Z has not passed another day, and windows through"
                    + " 2026-03-02T00:00:00Z are settled, and no event of a settled window has been archived since",
                Optional.of(Instant.parse("2026-03-02T00:00:00Z"))));
  }

  @Test
  void handedOutCaseIsTheOneTestedHere() throws Exception {
    String cases = System.getenv("TIDEMARK_CASES");
    assumeTrue(cases != null, "TIDEMARK_CASES names no directory of handed-out cases");

    assertThat(DryRunEvents.sameAsIn(Path.of(cases))).isTrue();
  }

  private static String theWindow(TestPipeline pipeline) {
    ShownRow row = pipeline.shown().get(THE_WINDOW);
    return row.measures().eventCount() + " " + row.status();
  }

  private static List<String> leftOut(TestPipeline pipeline) {
    return pipeline
        .view("_late")
        .selectExpr(
            "concat(event_id.id, ' left out of ', date_format(window_start, \"yyyy-MM-dd'T'HH:mm:ss'Z'\"))")
        .collectAsList()
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }

  private static List<String> corrections(TestPipeline pipeline) {
    return pipeline
        .view("_corrections")
        .selectExpr(
            "concat_ws(' ', settlement, kind, key, date_format(window_start, 'HH:mm:ss'),"
                + " before.event_count, '->', after.event_count)")
        .collectAsList()
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }
}
