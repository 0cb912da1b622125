package io.tidemark.tests.oracle;

import java.time.Instant;
import java.util.Optional;

/** Why a record is not counted. Of several problems a record has the first in this order. */
public enum Problem {
  MALFORMED("malformed"),
  NULL_EVENT_TIME("null-event-time"),
  NULL_EVENT_ID("null-event-id"),
  NULL_ARRIVAL_TIME("null-arrival-time"),
  FUTURE_EVENT_TIME("future-event-time"),
  TOO_OLD("too-old");

  private final String text;

  Problem(String text) {
    this.text = text;
  }

  /** The problem as the archive has it. */
  public String text() {
    return text;
  }

  public static Optional<Problem> of(SourceRecord record, Limits limits) {
    Event event = record.event();
    if (event == null) {
      return Optional.of(MALFORMED);
    }
    Instant happened = event.happenedAt();
    Instant arrived = event.arrivedAt();
    if (happened == null) {
      return Optional.of(NULL_EVENT_TIME);
    }
    if (event.id() == null) {
      return Optional.of(NULL_EVENT_ID);
    }
    if (arrived == null) {
      return Optional.of(NULL_ARRIVAL_TIME);
    }
    if (happened.isAfter(arrived.plus(limits.maxFutureSkew()))) {
      return Optional.of(FUTURE_EVENT_TIME);
    }
    if (happened.isBefore(arrived.minus(limits.maxAge()))) {
      return Optional.of(TOO_OLD);
    }
    return Optional.empty();
  }
}
