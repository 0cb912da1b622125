package io.tidemark.tests.oracle;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The right answer for everything that was ever read: what a settlement has to adopt. */
public record Oracle(Rules rules) {

  /** The rows that a recount gives, in any order of the records, and where every record went. */
  public record Answer(Map<Group, Row> rows, Balance balance) {}

  public Answer answer(List<SourceRecord> records) {
    Map<Problem, Long> rejected = new EnumMap<>(Problem.class);
    Map<Identity, SourceRecord> counted = new HashMap<>();
    long considered = 0;
    long memberships = 0;
    for (SourceRecord record : records) {
      Problem.of(record, rules.limits()).ifPresent(p -> rejected.merge(p, 1L, Long::sum));
      Optional<Event> event = rules.considered(record);
      if (event.isPresent()) {
        considered++;
        for (Identity identity : rules.memberships(event.get())) {
          memberships++;
          counted.merge(identity, record, Oracle::smallerPosition);
        }
      }
    }
    long withProblem = rejected.values().stream().mapToLong(Long::longValue).sum();
    long filtered = records.size() - withProblem - considered;
    return new Answer(
        rows(counted),
        new Balance(records.size(), rejected, filtered, considered, memberships, counted.size()));
  }

  private static SourceRecord smallerPosition(SourceRecord one, SourceRecord other) {
    Comparator<SourceRecord> byPosition = Comparator.comparing(SourceRecord::position);
    return byPosition.compare(one, other) <= 0 ? one : other;
  }

  /** One row for each window and key that a counted record is in. */
  static Map<Group, Row> rows(Map<Identity, SourceRecord> counted) {
    return counted.entrySet().stream()
        .collect(
            Collectors.groupingBy(
                entry -> entry.getKey().group(),
                Collectors.mapping(
                    entry -> entry.getValue().event(),
                    Collectors.collectingAndThen(Collectors.toList(), Row::of))));
  }
}
