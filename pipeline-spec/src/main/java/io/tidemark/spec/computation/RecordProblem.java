package io.tidemark.spec.computation;

/**
 * Why an archived record is not counted. Decided once, at ingest, against the record's arrival
 * time, so that a second ingest decides the same. A record has the first problem that applies, in
 * this order.
 */
public enum RecordProblem {
  /** The record has no value: Kafka's mark that what its key names is deleted. */
  TOMBSTONE("tombstone"),
  /** The bytes are no record, or a field's text does not fit its type. */
  MALFORMED("malformed"),
  /** The event time is missing, unreadable, or outside the years 1 to 9999. */
  NULL_EVENT_TIME("null-event-time"),
  /** A column of the event id is null. */
  NULL_EVENT_ID("null-event-id"),
  /** The arrival column is missing, unreadable, or outside the years 1 to 9999. */
  NULL_ARRIVAL_TIME("null-arrival-time"),
  /** The event time is later than the arrival time + max-future-skew. */
  FUTURE_EVENT_TIME("future-event-time"),
  /** The event time is earlier than the arrival time − max-age; never of an imported record. */
  TOO_OLD("too-old");

  private final String label;

  RecordProblem(String label) {
    this.label = label;
  }

  /** The value of the archive's column {@code problem}. */
  public String label() {
    return label;
  }
}
