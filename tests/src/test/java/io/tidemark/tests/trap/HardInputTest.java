package io.tidemark.tests.trap;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.reconcile.PipelineStatus;
import io.tidemark.reconcile.SettleOutcome;
import io.tidemark.tests.harness.AlwaysOn;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.LedgerRow;
import io.tidemark.tests.harness.ShownRow;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.ArrivalBatch;
import io.tidemark.tests.oracle.Event;
import io.tidemark.tests.oracle.Group;
import io.tidemark.tests.oracle.Limits;
import io.tidemark.tests.oracle.Oracle;
import io.tidemark.tests.oracle.Rules;
import io.tidemark.tests.oracle.SourceRecord;
import io.tidemark.tests.oracle.Windows;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One stream that is given everything strange, an arrival a batch; each test looks at one trap: 1
 * (far future), 3 (number of late events), 4 (traffic stops), 5 (unreadable times), 7 (days in
 * mixed order), 8 (two hours in one batch), 9 (null keys), 11 (older versions), 12 (large sums), 13
 * (keys that are hard to quote).
 */
@Tag("spark")
class HardInputTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant NINE = Instant.parse("2026-03-01T09:00:00Z");
  private static final Instant NINETEEN = Instant.parse("2026-03-01T19:00:00Z");
  private static final List<String> HARD_KEYS =
      List.of("o'brien", "back`tick", "two\nlines", "<script>", "=1+1", "\"", "\\");
  private static final Rules RULES =
      Rules.countingAll(
          new Limits(Duration.ofMinutes(5), Duration.ofDays(30)),
          Windows.tumbling(Duration.ofMinutes(1)));

  @TempDir static Path directory;

  private static TestPipeline pipeline;
  private static Map<Group, ShownRow> streamed;
  private static SettleOutcome untimelySettlement;
  private static PipelineStatus status;
  private static Map<Group, ShownRow> closed;
  private static Map<Group, ShownRow> afterLateEvent;
  private static SettleOutcome second;

  @BeforeAll
  static void streamEverything() throws Exception {
    pipeline = TestPipeline.in(directory, yaml -> yaml);
    // Three files, read as one batch and archived as one commit, their days in mixed order.
    pipeline.land(Events.file("a1", Events.at("day-3", "days", day(-1))));
    pipeline.land(Events.file("a2", Events.at("day-1", "days", day(-3))));
    pipeline.land(Events.file("a3", Events.at("day-2", "days", day(-2))));
    try (AlwaysOn stream = pipeline.alwaysOn()) {
      stream.arrive(
          Events.file("a4", Events.at("e-19", "hours", NINETEEN), Events.at("e-9", "hours", NINE)));
      stream.arrive(Events.file("b", Events.many(1000, "late", "late", NOON)));
      stream.arrive(strange());
      stream.arrive(
          Events.file(
              "d",
              Stream.concat(
                      Events.many(10, "honest", "honest", NINETEEN.plusSeconds(60)).stream(),
                      Stream.of(
                          Events.at("n-2", null, NINETEEN),
                          new Event("s-2", "sum", NINETEEN, NINETEEN, Long.MAX_VALUE)))
                  .toList()));
      stream.arrive(Events.file("e", Events.at("n-3", null, NINETEEN)));
      streamed = pipeline.shown();
      untimelySettlement = pipeline.settle();
      status = pipeline.statusAfter(Duration.ofHours(1));
    }
    pipeline.close();
    closed = pipeline.shown();
    pipeline.land(
        Events.file("f", Events.at("n-4", null, NINETEEN), Events.at("new", "new", NINETEEN)));
    pipeline.stream();
    afterLateEvent = pipeline.shown();
    second = pipeline.settle();
  }

  /** Everything that is odd by itself, around 19:00. */
  private static ArrivalBatch strange() {
    String file = "c.jsonl";
    List<SourceRecord> hardKeys =
        HARD_KEYS.stream()
            .map(key -> SourceRecord.of(file, Events.at("h" + key.hashCode(), key, NINETEEN)))
            .toList();
    Event oneDayAhead = new Event("x-1", "A", NINETEEN.plusSeconds(86_400), NINETEEN, 1L);
    Event year9999 = new Event("x-2", "A", Instant.parse("9999-12-31T00:00:00Z"), NINETEEN, 1L);
    List<SourceRecord> others =
        List.of(
            SourceRecord.of(file, oneDayAhead),
            SourceRecord.of(file, year9999),
            SourceRecord.of(file, new Event("x-3", "A", null, NINETEEN, 1L)),
            SourceRecord.malformed(file, "{\"id\":\"x-4\",\"happened_at\":\"yesterday\"}"),
            SourceRecord.malformed(file, "{\"id\":\"x-5\",\"value\":\"12,5\"}"),
            SourceRecord.of(file, Events.at("n-1", null, NINETEEN)),
            SourceRecord.of(file, Events.at("n-0", "", NINETEEN)),
            SourceRecord.of(file, new Event("s-1", "sum", NINETEEN, NINETEEN, Long.MAX_VALUE)));
    return new ArrivalBatch(file, Stream.concat(hardKeys.stream(), others.stream()).toList());
  }

  @Test
  void settledTableIsARecount() {
    List<SourceRecord> all = pipeline.landed();
    assertThat(measures(closed))
        .isEqualTo(new Oracle(RULES).answer(all.subList(0, all.size() - 2)).rows());
    assertThat(pipeline.verify().differing()).isZero();
  }

  @Test
  void eventsFarAheadAreProblemsAndLeaveTheWatermarkWhereItWas() {
    assertThat(status.recordsByProblem())
        .isEqualTo(Map.of("future-event-time", 2L, "null-event-time", 1L, "malformed", 2L));
    assertThat(status.frontier()).contains(NINETEEN.plusSeconds(60 - 70));
    assertThat(count(streamed, NINETEEN.plusSeconds(60), "honest")).isEqualTo(10);
  }

  @Test
  void thousandLateEventsOfOneKeyAreReportedAsThousand() {
    assertThat(pipeline.view("_late").filter("key = 'late'").count()).isEqualTo(1000);
    assertThat(streamed).doesNotContainKey(new Group(NOON, "late"));
    assertThat(count(closed, NOON, "late")).isEqualTo(1000);
    assertThat(pipeline.ledger().get(1).events().leftOut()).isEqualTo(1000);
  }

  @Test
  void daysInMixedOrderInOneCommitAreAllCounted() {
    assertThat(
            List.of(
                count(streamed, day(-3), "days"),
                count(streamed, day(-2), "days"),
                count(streamed, day(-1), "days")))
        .containsExactly(1L, 1L, 1L);
  }

  @Test
  void hoursFarApartInOneBatchAreBothCounted() {
    assertThat(List.of(count(streamed, NINE, "hours"), count(streamed, NINETEEN, "hours")))
        .containsExactly(1L, 1L);
  }

  @Test
  void nullKeyOfThreeBatchesIsOneRowAndNotTheEmptyStrings() {
    assertThat(List.of(count(streamed, NINETEEN, null), count(streamed, NINETEEN, "")))
        .containsExactly(3L, 1L);
  }

  @Test
  void sumBeyondItsInputsTypeIsExact() {
    assertThat(streamed.get(new Group(NINETEEN, "sum")).measures().sum())
        .isEqualTo(BigInteger.valueOf(Long.MAX_VALUE).multiply(BigInteger.TWO));
  }

  @Test
  void keysThatAreHardToQuoteStandInTheTableAsTheyCame() {
    assertThat(HARD_KEYS).allSatisfy(key -> assertThat(count(closed, NINETEEN, key)).isOne());
  }

  @Test
  void whenTrafficStopsTheLastWindowsStayOpenUntilTheyAreClosedByHand() {
    assertThat(streamed.get(new Group(NINETEEN.plusSeconds(60), "honest")).status())
        .isEqualTo("open");
    // Three days passed while it streamed; today's windows must wait.
    assertThat(untimelySettlement).isInstanceOf(SettleOutcome.Adopted.class);
    assertThat(((SettleOutcome.Adopted) untimelySettlement).mark().settledThrough())
        .isEqualTo(Instant.parse("2026-03-01T00:00:00Z"));
    assertThat(status.sinceStep()).as("how long the frontier stands").contains(Duration.ofHours(1));
    assertThat(closed.get(new Group(NINETEEN.plusSeconds(60), "honest")).status())
        .isEqualTo("settled");
  }

  @Test
  void streamNeverTouchesASettledWindowAndTheNextSettlementDoes() {
    Group row = new Group(NINETEEN, null);
    assertThat(afterLateEvent).as("no row is changed, and none comes").isEqualTo(closed);
    assertThat(second).isInstanceOf(SettleOutcome.Adopted.class);
    ShownRow corrected = pipeline.shown().get(row);
    assertThat(corrected.measures().eventCount()).isEqualTo(4);
    assertThat(corrected.version()).isEqualTo(3);
    assertThat(pipeline.ledger().get(2).rows()).isEqualTo(new LedgerRow.Kinds(0, 1, 1, 0));
    assertThat(count(pipeline.shown(), NINETEEN, "new")).isEqualTo(1);
  }

  private static Instant day(int fromNow) {
    return NOON.plus(Duration.ofDays(fromNow));
  }

  private static long count(Map<Group, ShownRow> rows, Instant window, String key) {
    return rows.get(new Group(window, key)).measures().eventCount();
  }

  private static Map<Group, io.tidemark.tests.oracle.Row> measures(Map<Group, ShownRow> rows) {
    return rows.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, row -> row.getValue().measures()));
  }
}
