package io.tidemark.tests.oracle;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of a pipeline's definition that decides which events count where.
 *
 * @param filter events for which it is false are archived and not counted
 * @param key what the aggregate is grouped by, besides the window
 */
public record Rules(Limits limits, Predicate<Event> filter, Windows windows, KeyOf key) {

  /** The key of an event, or null. */
  @FunctionalInterface
  public interface KeyOf {
    @Nullable String of(Event event);
  }

  /** Everything counts, by window and {@code key}. */
  public static Rules countingAll(Limits limits, Windows windows) {
    return new Rules(limits, event -> true, windows, Event::key);
  }

  public Rules where(Predicate<Event> otherFilter) {
    return new Rules(limits, otherFilter, windows, key);
  }

  public Rules keyedBy(KeyOf otherKey) {
    return new Rules(limits, filter, windows, otherKey);
  }

  /** The event of a record that has no problem and passes the filter. */
  public Optional<Event> considered(SourceRecord record) {
    return Problem.of(record, limits).isPresent()
        ? Optional.empty()
        : Optional.ofNullable(record.event()).filter(filter);
  }

  /** One identity for each window that a considered event is in. */
  public List<Identity> memberships(Event considered) {
    String id = requireNonNull(considered.id());
    return windows.startsAround(requireNonNull(considered.happenedAt())).stream()
        .map(start -> new Identity(new Group(start, key.of(considered)), id))
        .toList();
  }
}
