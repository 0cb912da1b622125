package io.tidemark.spec;

/** A part of a Kafka record, beside its value, from which a column of the event is taken. */
public sealed interface RecordPart {

  /** The key. */
  record Key() implements RecordPart {}

  /** The header of this name; where a record has several, the last. */
  record Header(String name) implements RecordPart {}

  /** The timestamp, of the producer or the broker as the topic is configured. */
  record Timestamp() implements RecordPart {}
}
