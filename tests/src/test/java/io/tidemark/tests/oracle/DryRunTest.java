package io.tidemark.tests.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Seven events around one window, each a batch of its own, counted by hand in {@code
 * cases/dry_run.csv}: window of 1 minute, bound 10 s, allowed lateness 60 s.
 */
class DryRunTest {

  private static final Group THE_WINDOW = new Group(Instant.parse("2026-03-01T12:00:00Z"), "A");
  private static final Duration DELAY = Duration.ofSeconds(70);
  private static final Rules RULES =
      Rules.countingAll(
          new Limits(Duration.ofMinutes(5), Duration.ofDays(30)),
          Windows.tumbling(Duration.ofMinutes(1)));

  @Test
  void streamShowsThreeThenFourAndLeavesTheLastOut() throws IOException {
    List<List<SourceRecord>> batches = batches();
    StreamSimulation stream =
        new StreamSimulation(RULES, DELAY, LatenessRule.BY_ALL_EARLIER_BATCHES);

    assertThat(countsAfterEachBatch(stream, batches))
        .as("after e1, e2, e3, e4, e6, e5, e7, e8")
        .containsExactly(1L, 2L, 3L, 3L, 4L, 4L, 4L, 4L);
    StreamSimulation.Estimate end = stream.estimate(batches);
    assertThat(end.leftOut()).isEqualTo(Set.of(new Identity(THE_WINDOW, "c-7")));
    assertThat(end.watermark()).contains(Instant.parse("2026-03-02T00:00:50Z"));
    assertThat(stream.estimate(batches.subList(0, 6)).watermark())
        .as("e5 moves it past the window's end")
        .contains(Instant.parse("2026-03-01T12:01:10Z"));
  }

  @Test
  void streamWithoutEmptyBatchesTestsOneBatchBehindAndCountsTheLast() throws IOException {
    StreamSimulation stream = new StreamSimulation(RULES, DELAY, LatenessRule.ONE_BATCH_BEHIND);

    assertThat(countsAfterEachBatch(stream, batches()))
        .containsExactly(1L, 2L, 3L, 3L, 4L, 4L, 5L, 5L);
  }

  @Test
  void settlementAdoptsFive() throws IOException {
    List<SourceRecord> all = batches().stream().flatMap(List::stream).toList();

    assertThat(new Oracle(RULES).answer(all).rows().get(THE_WINDOW).eventCount()).isEqualTo(5);
  }

  private static List<Long> countsAfterEachBatch(
      StreamSimulation stream, List<List<SourceRecord>> batches) {
    return IntStream.rangeClosed(1, batches.size())
        .mapToObj(n -> stream.estimate(batches.subList(0, n)).rows().get(THE_WINDOW).eventCount())
        .toList();
  }

  private static List<List<SourceRecord>> batches() throws IOException {
    try (InputStream csv = DryRunTest.class.getResourceAsStream("/cases/dry_run.csv")) {
      return new String(csv.readAllBytes(), UTF_8)
          .lines()
          .skip(1)
          .map(line -> line.split(",", 6))
          .map(
              fields ->
                  new Event(
                      fields[1], fields[2], Instant.parse(fields[3]), Instant.parse(fields[4]), 1L))
          .map(event -> List.of(SourceRecord.of(event.id(), event)))
          .toList();
    }
  }
}
