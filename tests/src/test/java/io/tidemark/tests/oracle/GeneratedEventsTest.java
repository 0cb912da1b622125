package io.tidemark.tests.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedEventsTest {

  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final Traffic USUAL = Traffic.usual(START, 60, 100);
  private static final List<ArrivalBatch> BATCHES = GeneratedEvents.batches(7, USUAL);
  private static final Rules RULES =
      Rules.countingAll(USUAL.limits(), new Windows(Duration.ofMinutes(10), Duration.ofMinutes(5)));

  @TempDir Path landing;

  @Test
  void sameSeedGivesTheSameBytesAndAnotherSeedDoesNot() {
    assertThat(GeneratedEvents.batches(7, USUAL)).isEqualTo(BATCHES);
    assertThat(GeneratedEvents.batches(8, USUAL)).isNotEqualTo(BATCHES);
  }

  @Test
  void lineSaysWhatTheEventSays() {
    Event event = new Event("e-1", "a \"b\"\n\\", START, START.plusMillis(5), null);

    assertThat(JsonLine.of(event))
        .isEqualTo(
            "{\"id\":\"e-1\",\"key\":\"a \\\"b\\\"\\n\\\\\","
                + "\"happened_at\":\"2026-03-01T12:00:00.000Z\","
                + "\"arrived_at\":\"2026-03-01T12:00:00.005Z\"}");
    assertThat(JsonLine.of(new Event(null, null, null, null, -3L)))
        .isEqualTo(
            "{\"id\":null,\"key\":null,\"happened_at\":null,\"arrived_at\":null,\"value\":-3}");
  }

  @Test
  void usualTrafficHasEveryProblemAndEveryKindOfKey() {
    Set<Problem> problems = EnumSet.noneOf(Problem.class);
    records().forEach(r -> Problem.of(r, USUAL.limits()).ifPresent(problems::add));
    List<String> keys =
        records().stream()
            .filter(r -> Problem.of(r, USUAL.limits()).isEmpty())
            .map(r -> r.event().key())
            .toList();

    assertThat(problems).containsExactly(Problem.values());
    assertThat(keys).contains(null, "", "k0", "k11", "two\nlines", "back`tick");
  }

  @Test
  void eachOddityAloneDoesWhatItsNameSays() {
    Map<Oddity, Set<String>> outcomes = new HashMap<>();
    for (Oddity oddity : Oddity.values()) {
      Traffic half = new Traffic(START, 20, 20, Duration.ofMinutes(1), USUAL.limits(), Map.of());
      outcomes.put(oddity, outcomes(GeneratedEvents.batches(7, half.with(oddity, 0.5))));
    }

    assertThat(outcomes)
        .isEqualTo(
            Map.ofEntries(
                Map.entry(Oddity.LATE_BY_MINUTES, Set.of("left out")),
                Map.entry(Oddity.LATE_BY_DAYS, Set.of("left out")),
                Map.entry(Oddity.EXACT_COPY, Set.of("copies")),
                Map.entry(Oddity.UNLIKE_COPY, Set.of("copies")),
                // Late, and where an event has two of them these are copies of each other.
                Map.entry(Oddity.CONFLICTING_COPY, Set.of("copies", "left out")),
                Map.entry(Oddity.NULL_TIME, Set.of("null-event-time")),
                Map.entry(Oddity.NULL_ID, Set.of("null-event-id")),
                Map.entry(Oddity.NULL_ARRIVAL, Set.of("null-arrival-time")),
                Map.entry(Oddity.NULL_TIME_AND_ID, Set.of("null-event-time")),
                Map.entry(Oddity.TRUNCATED, Set.of("malformed")),
                Map.entry(Oddity.NOT_JSON, Set.of("malformed")),
                Map.entry(Oddity.WRONG_TYPE, Set.of("malformed")),
                Map.entry(Oddity.FAR_FUTURE, Set.of("future-event-time")),
                Map.entry(Oddity.AT_FUTURE_LIMIT, Set.of()),
                Map.entry(Oddity.TOO_OLD, Set.of("too-old")),
                Map.entry(Oddity.AT_AGE_LIMIT, Set.of("left out")),
                Map.entry(Oddity.HUGE_VALUE, Set.of())));
  }

  @Test
  void exactLessEstimateIsWhatTheStreamLeftOut() {
    for (LatenessRule latenessRule : LatenessRule.values()) {
      var estimate =
          new StreamSimulation(RULES, Duration.ofMinutes(10), latenessRule)
              .estimate(BATCHES.stream().map(ArrivalBatch::records).toList());
      Map<Group, Long> expected =
          estimate.leftOut().stream()
              .collect(Collectors.groupingBy(Identity::group, Collectors.counting()));
      Map<Group, Long> difference = new HashMap<>();
      new Oracle(RULES)
          .answer(records())
          .rows()
          .forEach((group, row) -> difference.put(group, row.eventCount()));
      estimate
          .rows()
          .forEach((group, row) -> difference.merge(group, -row.eventCount(), Long::sum));
      difference.values().removeIf(count -> count == 0);

      assertThat(difference).isEqualTo(expected).isNotEmpty();
    }
  }

  @Test
  void batchesLandAsFilesInTheirOrder() throws IOException {
    for (ArrivalBatch batch : BATCHES) {
      batch.landIn(landing);
    }

    try (var files = Files.list(landing)) {
      assertThat(files.map(file -> file.getFileName().toString()).sorted())
          .containsExactlyElementsOf(BATCHES.stream().map(ArrivalBatch::fileName).toList());
    }
    assertThat(Files.readAllLines(landing.resolve("batch-00059.jsonl")))
        .containsExactlyElementsOf(
            BATCHES.get(59).records().stream().map(SourceRecord::line).toList());
  }

  private static Set<String> outcomes(List<ArrivalBatch> batches) {
    List<List<SourceRecord>> records = batches.stream().map(ArrivalBatch::records).toList();
    Balance balance =
        new Oracle(RULES).answer(records.stream().flatMap(List::stream).toList()).balance();
    Set<String> outcomes = new TreeSet<>();
    balance.rejected().keySet().forEach(problem -> outcomes.add(problem.text()));
    if (balance.duplicates() > 0) {
      outcomes.add("copies");
    }
    var stream =
        new StreamSimulation(RULES, Duration.ofMinutes(10), LatenessRule.BY_ALL_EARLIER_BATCHES);
    if (!stream.estimate(records).leftOut().isEmpty()) {
      outcomes.add("left out");
    }
    return outcomes;
  }

  private static List<SourceRecord> records() {
    return BATCHES.stream().flatMap(batch -> batch.records().stream()).toList();
  }
}
