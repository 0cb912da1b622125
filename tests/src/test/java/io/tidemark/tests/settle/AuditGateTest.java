package io.tidemark.tests.settle;

import static java.time.temporal.ChronoUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Tidemark;
import io.tidemark.merge.AuditResult;
import io.tidemark.merge.Breach;
import io.tidemark.reconcile.SettleOutcome;
import io.tidemark.spec.Percentage;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.LedgerRow;
import io.tidemark.tests.harness.ShownRow;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.Event;
import io.tidemark.tests.oracle.Group;
import io.tidemark.tests.oracle.SourceRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The audit gate, on a day of 40 rows: ten of them lack an event that came after its window had
 * closed, so that a settlement corrects a quarter of the day.
 */
@Tag("spark")
class AuditGateTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant MIDNIGHT = Instant.parse("2026-03-02T00:00:00Z");
  private static final int ROWS = 40;
  private static final int LATE = 10;
  private static final AuditResult BREACH =
      new AuditResult(
          List.of(
              new Breach(
                  "max-corrected-share",
                  percent("5%"),
                  0.25,
                  "10 of the 40 settled rows of the touched partitions are corrected")),
          Optional.empty());

  @TempDir Path directory;

  @Test
  void aHeldSettlementChangesNothingUntilAPersonAcceptsIt() throws Exception {
    TestPipeline pipeline = dayWithLateEvents("{max-corrected-share: 5%}");
    Map<Group, ShownRow> before = pipeline.shown();
    long version = pipeline.format().version(pipeline.tables().aggregates());

    SettleOutcome outcome = pipeline.settle();

    assertThat(outcome)
        .isInstanceOfSatisfying(
            SettleOutcome.Held.class, held -> assertThat(held.mark().audit()).isEqualTo(BREACH));
    assertThat(pipeline.shown()).isEqualTo(before);
    assertThat(pipeline.format().version(pipeline.tables().aggregates())).isEqualTo(version);
    assertThat(pipeline.ledger()).isEmpty();
    assertThat(pipeline.view("_corrections").count()).isZero();
    assertThat(kept(pipeline, "attempt-1")).isEqualTo(LATE);

    String query =
        "SELECT * FROM "
            + pipeline.format().relation(pipeline.tables().corrections())
            + " WHERE attempt = 'attempt-1'";
    assertThat(run(pipeline, "sql", query)).as("the query that the command names").isZero();

    Path result = directory.resolve("result.json");
    assertThat(run(pipeline, "settle", "--result", result.toString())).isEqualTo(3);
    assertThat(Files.readString(result))
        .contains("\"held\"", "\"attempt\"", "\"max-corrected-share\"");
    assertThat(run(pipeline, "settle", "--dry-run", "--result", result.toString())).isZero();
    assertThat(Files.readString(result)).containsPattern("\"would_be_held\"\\s*:\\s*true");
    assertThat(pipeline.shown()).isEqualTo(before);

    assertThat(
            run(
                pipeline,
                "settle",
                "--accept-breach",
                "partner A's file was late",
                "--result",
                result.toString()))
        .isZero();
    assertThat(pipeline.ledger().get(0).rows())
        .isEqualTo(new LedgerRow.Kinds(ROWS - LATE, LATE, 0, 0));
    assertThat(audit(pipeline))
        .containsExactly(BREACH.breachesAsJson().orElseThrow(), "partner A's file was late");
    assertThat(Files.readString(result))
        .contains("\"accepted_breach\"", "\"max-corrected-share\"", "\"adopted\"");
    assertThat(pipeline.view("_corrections").count()).isEqualTo(LATE);
    assertThat(pipeline.verify().differing()).isZero();
  }

  @Test
  void aWarnedSettlementIsAdoptedAndTheLedgerTells() throws Exception {
    TestPipeline pipeline = dayWithLateEvents("{max-corrected-share: 5%, on-breach: warn}");

    assertThat(pipeline.settle())
        .isInstanceOfSatisfying(
            SettleOutcome.Adopted.class,
            adopted -> assertThat(adopted.mark().audit()).isEqualTo(BREACH));
    assertThat(audit(pipeline)).containsExactly(BREACH.breachesAsJson().orElseThrow(), null);
    assertThat(pipeline.verify().differing()).isZero();
  }

  @Test
  void aFewDirtyPairsOfASettledDayAreNoBreach() throws Exception {
    TestPipeline pipeline = dayWithLateEvents("{max-corrected-share: 30%, max-total-change: 30%}");
    assertThat(pipeline.settle()).isInstanceOf(SettleOutcome.Adopted.class);
    pipeline.land(Events.file("d", Events.at("more", "k1", NOON)));
    pipeline.stream();

    assertThat(pipeline.settle())
        .isInstanceOfSatisfying(
            SettleOutcome.Adopted.class,
            adopted -> {
              assertThat(adopted.mark().counts()).containsEntry("corrected", 1L);
              assertThat(adopted.mark().counts()).containsEntry("agreed", 0L);
              assertThat(adopted.mark().audit()).isEqualTo(AuditResult.CLEAN);
            });
  }

  @Test
  void rowsThatTheStreamNeverHadAreMissingAndNoBreach() throws Exception {
    TestPipeline pipeline =
        TestPipeline.in(
            directory,
            yaml ->
                yaml.with(
                    "settle",
                    "{max-corrected-share: 1%, max-total-change: 1%, max-phantom-share: 1%,"
                        + " max-problem-share: 1%, max-row-change: 1%}"));
    pipeline.land(Events.file("a", Events.at("next", "k0", MIDNIGHT.plusSeconds(600))));
    pipeline.stream();
    pipeline.land(Events.file("b", keyed("late", ROWS, NOON)));
    pipeline.stream();

    assertThat(pipeline.settle())
        .isInstanceOfSatisfying(
            SettleOutcome.Adopted.class,
            adopted -> {
              assertThat(adopted.mark().counts()).containsEntry("missing", (long) ROWS);
              assertThat(adopted.mark().audit()).isEqualTo(AuditResult.CLEAN);
            });
  }

  @Test
  void aShortDayWithLateEventsAndProblemsBreaksEachLimitWithItsEvidence() throws Exception {
    TestPipeline pipeline =
        TestPipeline.in(
            directory,
            yaml ->
                yaml.with(
                    "settle",
                    "{max-total-change: 5%, max-row-change: 30%, max-phantom-share: 0%,"
                        + " max-problem-share: 5%, on-breach: warn}"));
    for (int day = 3; day >= 1; day--) {
      pipeline.land(Events.file("day-" + day, keyed("e" + day + "-", ROWS, NOON.minus(day, DAYS))));
    }
    pipeline.land(Events.file("today", Events.at("first", "k0", NOON.minusSeconds(42_000))));
    pipeline.stream();
    SettleOutcome first = pipeline.settle();

    pipeline.land(Events.file("noon", keyed("n", 24, NOON)));
    pipeline.land(Events.file("tomorrow", Events.at("next", "k0", MIDNIGHT.plusSeconds(600))));
    pipeline.stream();
    pipeline.land(Events.file("late", keyed("late", LATE, NOON)));
    pipeline.land("broken.jsonl", malformed(80));
    pipeline.stream();

    assertThat(first)
        .isInstanceOfSatisfying(
            SettleOutcome.Adopted.class,
            adopted -> assertThat(adopted.mark().audit()).isEqualTo(AuditResult.CLEAN));
    assertThat(((SettleOutcome.Adopted) pipeline.settle()).mark().audit().breaches())
        .containsExactly(
            new Breach(
                "max-total-change",
                percent("5%"),
                0.4,
                "the total of event_count changes by 10, of 25 in the touched partitions"),
            new Breach(
                "max-row-change",
                percent("30%"),
                0.375,
                "the partition 2026-03-01T00:00:00Z has 25 rows, and in the median of the same one"
                    + " on 3 earlier days 40"),
            new Breach(
                "max-problem-share",
                percent("5%"),
                80 / 115.0,
                "80 of the 115 records archived since the settlement before have a problem"));
  }

  /** 40 keys of one event at noon, an event of the next day, and a late one of ten of the keys. */
  private TestPipeline dayWithLateEvents(String limits) throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml.with("settle", limits));
    pipeline.land(Events.file("a", keyed("e", ROWS, NOON)));
    pipeline.stream();
    pipeline.land(Events.file("b", Events.at("next", "k0", MIDNIGHT.plusSeconds(600))));
    pipeline.stream();
    pipeline.land(Events.file("c", keyed("late", LATE, NOON)));
    pipeline.stream();
    return pipeline;
  }

  /** An event of each key. */
  private static List<Event> keyed(String id, int keys, Instant time) {
    return IntStream.range(0, keys).mapToObj(key -> Events.at(id + key, "k" + key, time)).toList();
  }

  private static List<SourceRecord> malformed(int number) {
    return IntStream.range(0, number)
        .mapToObj(
            i -> SourceRecord.malformed("broken.jsonl", "{\"id\":\"m-" + i + "\",\"value\":\"?\"}"))
        .toList();
  }

  private static Percentage percent(String text) {
    return Percentage.parse(text).orElseThrow();
  }

  private static long kept(TestPipeline pipeline, String attempt) {
    return pipeline
        .read(pipeline.tables().corrections())
        .filter("attempt = '" + attempt + "'")
        .count();
  }

  /** Of the only settlement: the broken limits and the reason to adopt it all the same. */
  private static List<String> audit(TestPipeline pipeline) {
    Row row = pipeline.read(pipeline.tables().settlements()).head();
    return Stream.of("audit", "accepted_breach").<String>map(row::getAs).toList();
  }

  private static int run(TestPipeline pipeline, String... verb) {
    return Tidemark.run(pipeline.commandLine(verb).toArray(String[]::new));
  }
}
