package io.tidemark.tests.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The oracle's rules, one at a time, on records that can be counted by hand. */
class OracleTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant A_MINUTE_PAST = NOON.plusSeconds(60);
  private static final Limits LIMITS = new Limits(Duration.ofMinutes(5), Duration.ofDays(30));
  private static final Rules BY_MINUTE =
      Rules.countingAll(LIMITS, Windows.tumbling(Duration.ofMinutes(1)));

  @Test
  void windowHoldsItsStartAndNotItsEnd() {
    assertThat(rows(BY_MINUTE, seen("e1", "A", NOON), seen("e2", "A", A_MINUTE_PAST)))
        .isEqualTo(Map.of(new Group(NOON, "A"), count(1), new Group(A_MINUTE_PAST, "A"), count(1)));
  }

  @Test
  void hoppingWindowsHoldAnEventInEachOfThem() {
    Windows tenBySix = new Windows(Duration.ofMinutes(10), Duration.ofMinutes(6));

    assertThat(tenBySix.startsAround(NOON))
        .as("[11:54, 12:04) and [12:00, 12:10)")
        .containsExactly(NOON.minusSeconds(360), NOON);
    assertThat(tenBySix.startsAround(NOON.plusSeconds(240)))
        .as("12:04 is the end of the first")
        .containsExactly(NOON);
  }

  @Test
  void windowsBefore1970AreAlignedLikeTheOthers() {
    assertThat(BY_MINUTE.windows().startsAround(Instant.parse("1969-12-31T23:59:59.999Z")))
        .containsExactly(Instant.parse("1969-12-31T23:59:00Z"));
  }

  @Test
  void nullKeyIsAGroupAndNotTheEmptyStrings() {
    assertThat(rows(BY_MINUTE, seen("e1", null, NOON), seen("e2", "", NOON), seen("e3", "", NOON)))
        .isEqualTo(Map.of(new Group(NOON, null), count(1), new Group(NOON, ""), count(2)));
  }

  @Test
  void measuresSkipNullValuesAndTheCountOfEventsDoesNot() {
    assertThat(
            rows(
                BY_MINUTE,
                worth(seen("e1", "A", NOON), 7L),
                worth(seen("e2", "A", NOON), null),
                worth(seen("e3", "A", NOON), -2L),
                worth(seen("e4", "A", NOON), 7L)))
        .containsExactly(
            Map.entry(new Group(NOON, "A"), new Row(4, 3, BigInteger.valueOf(12), -2L, 7L, 2)));
  }

  @Test
  void sumGoesBeyondTheLargestLong() {
    Row row =
        rows(
                BY_MINUTE,
                worth(seen("e1", "A", NOON), Long.MAX_VALUE),
                worth(seen("e2", "A", NOON), Long.MAX_VALUE))
            .get(new Group(NOON, "A"));

    assertThat(row.sum()).isEqualTo(new BigInteger("18446744073709551614"));
  }

  @Test
  void ofCopiesTheSmallestFileCountsInWhateverOrderTheyAreRead() {
    List<SourceRecord> copies =
        new ArrayList<>(
            List.of(
                SourceRecord.of("b.jsonl", worth(seen("e1", "A", NOON), 2L)),
                SourceRecord.of("a.jsonl", worth(seen("e1", "A", NOON), 1L)),
                SourceRecord.of("c.jsonl", worth(seen("e1", "A", NOON), 3L))));
    Row one = new Row(1, 1, BigInteger.ONE, 1L, 1L, 1);

    assertThat(new Oracle(BY_MINUTE).answer(copies).rows())
        .containsExactly(Map.entry(new Group(NOON, "A"), one));
    Collections.reverse(copies);
    assertThat(new Oracle(BY_MINUTE).answer(copies).rows())
        .containsExactly(Map.entry(new Group(NOON, "A"), one));
  }

  @Test
  void ofCopiesInOneFileTheSmallestHashOfTheLineCounts() {
    // MD5 of the text, not the text's own order: "b" is 92eb…, "a" is 0cc1…, "c" is 4a8a….
    Event event = seen("e1", "A", NOON);
    List<SourceRecord> copies =
        List.of(
            new SourceRecord("f", "c", worth(event, 3L)),
            new SourceRecord("f", "b", worth(event, 2L)));

    assertThat(copies.get(0).position().hashOfLine()).isEqualTo("4a8a08f09d37b73795649038408b5f33");
    assertThat(new Oracle(BY_MINUTE).answer(copies).rows().get(new Group(NOON, "A")).sum())
        .isEqualTo(BigInteger.valueOf(3));
  }

  @Test
  void sameIdUnderAnotherKeyOrInAnotherWindowCountsThereToo() {
    assertThat(
            rows(
                BY_MINUTE,
                seen("e1", "A", NOON),
                seen("e1", "B", NOON),
                seen("e1", "A", A_MINUTE_PAST)))
        .isEqualTo(
            Map.of(
                new Group(NOON, "A"), count(1),
                new Group(NOON, "B"), count(1),
                new Group(A_MINUTE_PAST, "A"), count(1)));
  }

  @Test
  void copyWhoseOtherPartFailsTheFilterCounts() {
    Rules positive = BY_MINUTE.where(event -> event.value() != null && event.value() > 0);
    List<SourceRecord> copies =
        List.of(
            SourceRecord.of("a", worth(seen("e1", "A", NOON), -1L)),
            SourceRecord.of("b", worth(seen("e1", "A", NOON), 5L)));

    Oracle.Answer answer = new Oracle(positive).answer(copies);

    assertThat(answer.rows())
        .containsExactly(
            Map.entry(new Group(NOON, "A"), new Row(1, 1, BigInteger.valueOf(5), 5L, 5L, 1)));
    assertThat(answer.balance()).isEqualTo(new Balance(2, Map.of(), 1, 1, 1, 1));
  }

  @Test
  void withoutKeysThereIsOneRowForAWindow() {
    assertThat(rows(BY_MINUTE.keyedBy(event -> null), seen("e1", "A", NOON), seen("e2", "B", NOON)))
        .isEqualTo(Map.of(new Group(NOON, null), count(2)));
  }

  @Test
  void problemsAreNamedInOrderAndLimitsAreInclusive() {
    Duration skew = LIMITS.maxFutureSkew();
    Duration age = LIMITS.maxAge();

    assertThat(Problem.of(SourceRecord.malformed("f", "{"), LIMITS)).contains(Problem.MALFORMED);
    assertThat(problem(null, null, null)).isEqualTo("null-event-time");
    assertThat(problem(null, NOON, null)).isEqualTo("null-event-id");
    assertThat(problem("e", NOON, null)).isEqualTo("null-arrival-time");
    assertThat(problem("", NOON, NOON)).as("the empty string is an id").isEqualTo("none");
    assertThat(problem("e", NOON.plus(skew), NOON)).isEqualTo("none");
    assertThat(problem("e", NOON.plus(skew).plusMillis(1), NOON)).isEqualTo("future-event-time");
    assertThat(problem("e", NOON.minus(age), NOON)).isEqualTo("none");
    assertThat(problem("e", NOON.minus(age).minusMillis(1), NOON)).isEqualTo("too-old");
  }

  @Test
  void balanceAccountsForEveryRecord() {
    Rules hopping =
        Rules.countingAll(LIMITS, new Windows(Duration.ofMinutes(2), Duration.ofMinutes(1)))
            .where(event -> !"X".equals(event.key()));
    List<SourceRecord> records =
        List.of(
            SourceRecord.malformed("f", "{"),
            SourceRecord.malformed("f", "["),
            SourceRecord.of("f", new Event("e0", "A", null, NOON, 1L)),
            SourceRecord.of("f", seen("e1", "X", NOON)),
            SourceRecord.of("f", seen("e2", "A", NOON)),
            SourceRecord.of("g", seen("e2", "A", NOON)));

    assertThat(new Oracle(hopping).answer(records).balance())
        .isEqualTo(
            new Balance(6, Map.of(Problem.MALFORMED, 2L, Problem.NULL_EVENT_TIME, 1L), 1, 2, 4, 2));
  }

  private static Event seen(String id, @Nullable String key, Instant time) {
    return new Event(id, key, time, time, null);
  }

  private static Event worth(Event event, @Nullable Long value) {
    return event.withValue(value);
  }

  private static Row count(long events) {
    return new Row(events, 0, null, null, null, 0);
  }

  private static Map<Group, Row> rows(Rules rules, Event... events) {
    List<SourceRecord> records =
        Arrays.stream(events).map(event -> SourceRecord.of("f", event)).toList();
    return new Oracle(rules).answer(records).rows();
  }

  private static String problem(
      @Nullable String id, @Nullable Instant happened, @Nullable Instant arrived) {
    Event event = new Event(id, "A", happened, arrived, null);
    return Problem.of(SourceRecord.of("f", event), LIMITS).map(Problem::text).orElse("none");
  }
}
