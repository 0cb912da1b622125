package io.tidemark.tests.settle;

import static io.tidemark.tests.harness.TwoNights.DAY;
import static io.tidemark.tests.harness.TwoNights.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.reconcile.SettleOutcome;
import io.tidemark.reconcile.SettleRequest;
import io.tidemark.reconcile.UnsettleJob.Undoing;
import io.tidemark.tests.harness.AlwaysOn;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.LedgerRow;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.harness.TwoNights;
import io.tidemark.tests.oracle.Group;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settlements that are taken back, with the stream running all the while. */
@Tag("spark")
class UnsettleTest {

  @TempDir Path directory;

  private TestPipeline pipeline;

  @Test
  void whatASettlementDidIsUndoneDownTheStackAndDoneAgain() throws Exception {
    pipeline = TestPipeline.in(directory, yaml -> yaml);
    try (AlwaysOn stream = pipeline.alwaysOn()) {
      TwoNights.arriveBeforeFirst(stream);
      phantomAt(NOON);
      List<String> estimates = rows();

      // One row corrected, a phantom deleted, the others agreed with.
      assertThat(pipeline.settle()).isInstanceOf(SettleOutcome.Adopted.class);
      List<String> first = rows();
      // A settled row corrected, a missing one inserted, a new day adopted.
      TwoNights.arriveBeforeSecond(stream);
      assertThat(pipeline.settle()).isInstanceOf(SettleOutcome.Adopted.class);
      List<String> second = rows();
      assertThat(corrections())
          .containsExactly("1 corrected", "1 phantom", "2 corrected", "2 missing");

      Undoing undoing = unsettle();
      assertThat(undoing.below().orElseThrow().settlement()).isEqualTo(1);
      assertThat(rowsUpTo(NOON.plus(DAY))).isEqualTo(first);
      assertThat(corrections()).containsExactly("1 corrected", "1 phantom");
      assertThat(pipeline.verify().differing()).as("of settlement 1").isZero();

      // The stream goes on beside it.
      stream.arrive(Events.file("f", Events.at("e-6", "B", NOON.plus(DAY.multipliedBy(2)))));

      assertThat(unsettle().below()).isEmpty();
      assertThat(rowsUpTo(NOON.plusSeconds(60)))
          .isEqualTo(estimates.stream().filter(row -> row.startsWith("2026-03-01")).toList());
      assertThat(corrections()).isEmpty();
      assertThat(pipeline.unsettle("a test")).as("nothing is left to undo").isEmpty();
      assertThat(pipeline.ledger().stream().mapToLong(row -> row.events().counted()).sum())
          .isZero();

      assertThat(pipeline.settle()).isInstanceOf(SettleOutcome.Adopted.class);
      assertThat(pipeline.measures().get(new Group(NOON, "A")).eventCount()).isEqualTo(3);
      assertThat(pipeline.verify().differing()).isZero();
      assertThat(rowsUpTo(NOON.plus(DAY.multipliedBy(2)).minusSeconds(1)))
          .as("as after the second settlement, but for its number")
          .isEqualTo(
              second.stream()
                  .filter(row -> row.compareTo("2026-03-03T12") < 0)
                  .map(row -> row.replaceAll(" v[12]$", " v5"))
                  .toList());
    }
    assertThat(pipeline.ledger())
        .extracting(LedgerRow::settlement)
        .containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void settledDaysAreRecountedOnRequest() throws Exception {
    pipeline = TestPipeline.in(directory, yaml -> yaml);
    pipeline.land(Events.file("a", Events.at("e-1", "A", NOON)));
    pipeline.stream();
    pipeline.close();
    pipeline
        .spark()
        .sql(
            "UPDATE "
                + pipeline.format().relation(pipeline.tables().aggregates())
                + " SET event_count = 7");
    assertThat(pipeline.verify().differing()).isEqualTo(1);

    SettleOutcome again =
        pipeline.settle(new SettleRequest.Again(NOON, NOON.plus(DAY), "a hand has slipped"));

    assertThat(((SettleOutcome.Adopted) again).mark().count("corrected")).isEqualTo(1);
    assertThat(pipeline.verify().differing()).isZero();
  }

  private Undoing unsettle() {
    return pipeline.unsettle("a test").orElseThrow();
  }

  /** A row that no event is behind, as a flaw might leave it. */
  private void phantomAt(Instant start) {
    String table = pipeline.format().relation(pipeline.tables().aggregates());
    pipeline
        .spark()
        .sql(
            "INSERT INTO "
                + table
                + " BY NAME SELECT * EXCEPT (key), 'ghost' AS key FROM "
                + table
                + " WHERE key = 'B' AND window_start = TIMESTAMP'"
                + start
                + "'");
  }

  /** Each row as text that sorts by window, with all of its columns, the version last. */
  private List<String> rows() {
    return pipeline
        .read(pipeline.tables().aggregates())
        .selectExpr(
            "concat(date_format(window_start, \"yyyy-MM-dd'T'HH:mm\"), ' ',"
                + " to_json(struct(* EXCEPT (version))), ' v', version) AS row")
        .collectAsList()
        .stream()
        .map((Row row) -> row.getString(0))
        .sorted()
        .toList();
  }

  private List<String> rowsUpTo(Instant last) {
    return rows().stream()
        .filter(row -> row.compareTo(last.toString().substring(0, 16) + "~") < 0)
        .toList();
  }

  private List<String> corrections() {
    return pipeline
        .view("_corrections")
        .selectExpr("concat(settlement, ' ', kind)")
        .collectAsList()
        .stream()
        .map((Row row) -> row.getString(0))
        .sorted()
        .toList();
  }
}
