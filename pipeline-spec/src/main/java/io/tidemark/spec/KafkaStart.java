package io.tidemark.spec;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Where in a topic the first start of {@code ingest} begins. */
public sealed interface KafkaStart {

  /** With the oldest records that the topic holds. */
  record Earliest() implements KafkaStart {}

  /** With what comes after the start. */
  record Latest() implements KafkaStart {}

  /** In each partition with the first record whose timestamp is this or later. */
  record At(Instant timestamp) implements KafkaStart {}

  /**
   * With these offsets, inclusive.
   *
   * @param byPartition one for each partition of the topic
   */
  record Offsets(SortedMap<Integer, Long> byPartition) implements KafkaStart {
    public Offsets {
      for (Map.Entry<Integer, Long> entry : byPartition.entrySet()) {
        if (entry.getKey() < 0 || entry.getValue() < 0) {
          throw new IllegalArgumentException("partition or offset is negative: " + entry);
        }
      }
      byPartition = Collections.unmodifiableSortedMap(new TreeMap<>(byPartition));
    }
  }
}
