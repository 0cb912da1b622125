package io.tidemark.tests.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.delta.tables.DeltaTable;
import io.tidemark.reconcile.SettleOutcome;
import io.tidemark.reconcile.SettleRequest;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.harness.WorkDone;
import io.tidemark.tests.oracle.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a settlement of late events costs beside one that adopts the same by a recount of all 14
 * days. Prints rows, files and times; {@code make settlement-cost} does so for more events.
 */
@Tag("spark")
class SettlementCostTest {

  private static final int DAYS = 14;
  private static final int EVENTS_PER_DAY =
      Integer.getInteger("tidemark.cost.events-per-day", 1500);
  private static final Instant FIRST = Instant.parse("2026-03-01T00:00:00Z");
  private static final long SECONDS_PER_DAY = Duration.ofDays(1).toSeconds();
  private static final int KEYS = 25;
  private static final long SEED = 20260101;

  @TempDir Path directory;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private TestPipeline pipeline;

  /** Two weeks, all settled. */
  @BeforeEach
  void settleTwoWeeks() throws Exception {
    pipeline = TestPipeline.in(directory, yaml -> yaml.with("window", "{tumbling: 1h}"));
    for (int day = 0; day < DAYS; day++) {
      land("day-" + day, EVENTS_PER_DAY, day, 1);
    }
    land("frontier", 1, DAYS + 1, 1);
    pipeline.stream();
    assertThat(pipeline.settle()).isInstanceOf(SettleOutcome.Adopted.class);
  }

  private void land(String name, int number, int firstDay, int days) throws Exception {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      Instant time =
          FIRST.plusSeconds(
              random.nextLong(firstDay, firstDay + days) * SECONDS_PER_DAY
                  + random.nextLong(SECONDS_PER_DAY));
      events.add(Events.at(name + "-" + i, "k" + random.nextInt(KEYS), time));
    }
    pipeline.land(Events.file(name, events));
  }

  /** Late events of some share of all, and what their settlement and a whole one cost. */
  private record Comparison(WorkDone late, WorkDone whole) {

    double ratio(ToLongFunction<WorkDone> part) {
      return (double) part.applyAsLong(late) / part.applyAsLong(whole);
    }
  }

  /** Of the aggregates, by the newest commit. */
  private record Files(long removed, long added) {}

  private Comparison compare(String name, double share, int firstDay, int days) throws Exception {
    land(name, (int) Math.round(share * DAYS * EVENTS_PER_DAY), firstDay, days);
    pipeline.stream();
    WorkDone late = work(new SettleRequest.BehindFrontier(Optional.empty()));
    Files lateFiles = files();
    assertThat(pipeline.unsettle("a test")).isPresent();
    WorkDone whole =
        work(
            new SettleRequest.Again(
                FIRST, FIRST.plus(Duration.ofDays(DAYS)), "what a full recount costs"));
    Files wholeFiles = files();
    print(name, late, lateFiles);
    print("… all", whole, wholeFiles);
    return new Comparison(late, whole);
  }

  private WorkDone work(SettleRequest request) throws Exception {
    return WorkDone.by(
        pipeline.spark(),
        () -> assertThat(pipeline.settle(request)).isInstanceOf(SettleOutcome.Adopted.class));
  }

  private Files files() {
    Map<String, String> metrics =
        DeltaTable.forPath(pipeline.spark(), pipeline.tables().aggregates().value())
            .history(1)
            .select("operationMetrics")
            .head()
            .getJavaMap(0);
    return new Files(
        metric(metrics, "numTargetFilesRemoved", "numRemovedFiles"),
        metric(metrics, "numTargetFilesAdded", "numFiles"));
  }

  /** A MERGE and a replacement name their metrics differently. */
  private static long metric(Map<String, String> metrics, String ofMerge, String ofReplacement) {
    String value = metrics.getOrDefault(ofMerge, metrics.get(ofReplacement));
    assertThat(value).as("%s or %s in %s", ofMerge, ofReplacement, metrics).isNotNull();
    return Long.parseLong(value);
  }

  private static void print(String what, WorkDone work, Files files) {
    System.out.printf(
        "%-22s %,10d read %,10d shuffled %,10d written %5d files removed %5d added %6.1f s%n",
        what,
        work.read(),
        work.shuffled(),
        work.written(),
        files.removed(),
        files.added(),
        work.time().toMillis() / 1e3);
  }

  @Test
  void lateEventsCostInProportion() throws Exception {
    Comparison recent = compare("0.1% of the last day", 0.001, DAYS - 1, 1);
    Comparison scattered = compare("0.1% scattered", 0.001, 0, DAYS);
    Comparison more = compare("5% scattered", 0.05, 0, DAYS);

    assertThat(recent.ratio(WorkDone::read)).isLessThan(0.15);
    assertThat(recent.ratio(WorkDone::written)).isLessThan(0.15);
    assertThat(recent.ratio(WorkDone::shuffled)).isLessThan(0.15);
    assertThat(scattered.ratio(WorkDone::shuffled)).isLessThan(1);
    assertThat(List.of(recent, scattered, more))
        .allSatisfy(
            comparison ->
                assertThat(comparison.ratio(work -> work.read() + work.written()))
                    .isLessThan(1.05));
  }
}
