package io.tidemark.tests.oracle;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What a stream shows that reads given batches: the exact rows less what came too late.
 *
 * <p>The watermark is the latest time of the events considered in earlier batches minus the delay,
 * and stands still within a batch. An event is left out of a window that ends at or before it. With
 * a delay of 70 s, an event of 12:02:20 in one batch closes the window [12:00, 12:01) for the next:
 * the watermark is 12:01:10.
 *
 * @param delay bound + allowed lateness
 */
public record StreamSimulation(Rules rules, Duration delay, LatenessRule latenessRule) {

  /**
   * What the stream shows after the last batch.
   *
   * @param watermark by which a batch that came next would test at the latest; empty before the
   *     first event
   * @param leftOut what a recount counts and the stream does not
   * @param undetermined groups where copies with unlike values came in one batch: their counts are
   *     certain, their other measures depend on the order in which Spark reads the batch
   */
  public record Estimate(
      Map<Group, Row> rows,
      Optional<Instant> watermark,
      Set<Identity> leftOut,
      Set<Group> undetermined) {}

  public Estimate estimate(List<List<SourceRecord>> batches) {
    Map<Identity, SourceRecord> counted = new HashMap<>();
    Set<Identity> late = new HashSet<>();
    Set<Group> undetermined = new HashSet<>();
    Instant behind = Instant.MIN;
    Instant watermark = Instant.MIN;
    for (List<SourceRecord> batch : batches) {
      Instant testedBy = latenessRule == LatenessRule.ONE_BATCH_BEHIND ? behind : watermark;
      Instant next = watermark;
      Set<Identity> newInBatch = new HashSet<>();
      for (SourceRecord record : batch) {
        Optional<Event> event = rules.considered(record);
        if (event.isEmpty()) {
          continue;
        }
        next = later(next, requireNonNull(event.get().happenedAt()).minus(delay));
        for (Identity identity : rules.memberships(event.get())) {
          if (!rules.windows().end(identity.group().windowStart()).isAfter(testedBy)) {
            late.add(identity);
            continue;
          }
          SourceRecord first = counted.putIfAbsent(identity, record);
          if (first == null) {
            newInBatch.add(identity);
          } else if (newInBatch.contains(identity) && haveUnlikeValues(first, record)) {
            undetermined.add(identity.group());
          }
        }
      }
      behind = watermark;
      watermark = next;
    }
    late.removeAll(counted.keySet());
    return new Estimate(
        Oracle.rows(counted),
        Optional.of(watermark).filter(Instant.MIN::isBefore),
        late,
        undetermined);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static boolean haveUnlikeValues(SourceRecord one, SourceRecord other) {
    return !Objects.equals(
        requireNonNull(one.event()).value(), requireNonNull(other.event()).value());
  }
}
