package io.tidemark.spec;

import java.util.Map;

/** How the value of a Kafka record becomes an event. */
public sealed interface KafkaValue {

  /**
   * One JSON object, in UTF-8.
   *
   * @param options passed to Spark's parser of JSON
   */
  record Json(Map<String, String> options) implements KafkaValue {
    public Json {
      options = Map.copyOf(options);
    }
  }

  /**
   * One record in Avro's binary encoding, without a header or the id of a registry.
   *
   * @param schema that it was written with, a record, as JSON
   */
  record Avro(String schema) implements KafkaValue {}
}
