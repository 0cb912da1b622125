package io.tidemark.ingest.kafka;

import io.tidemark.spec.error.ConflictException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Looks which of some offsets Kafka hands over. */
final class HoleReader {

  /** Farther apart than this, ranges are not read in one go. */
  private static final long WORTH_A_SEEK = 5_000;

  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final KafkaConnection connection;
  private final String topic;

  HoleReader(KafkaConnection connection, String topic) {
    this.connection = connection;
    this.topic = topic;
  }

  /**
   * The offsets of a partition, in these ranges, at which there is a record.
   *
   * @param ranges in order, all within what the topic holds
   * @param isolation as Kafka names it
   * @throws ConflictException if Kafka does not answer
   */
  NavigableSet<Long> records(int partition, List<OffsetRange> ranges, String isolation) {
    NavigableSet<Long> found = new TreeSet<>();
    Map<String, Object> options = connection.forClient();
    options.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
    options.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    options.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    TopicPartition of = new TopicPartition(topic, partition);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(options, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(of));
      NavigableMap<Long, OffsetRange> byFirst = new TreeMap<>();
      ranges.forEach(range -> byFirst.put(range.first(), range));
      long position = -1;
      for (OffsetRange range : ranges) {
        if (position < 0 || range.first() > position + WORTH_A_SEEK) {
          consumer.seek(of, range.first());
          position = range.first();
        }
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (position < range.end()) {
          consumer
              .poll(Duration.ofMillis(200))
              .forEach(
                  record -> {
                    Map.Entry<Long, OffsetRange> wanted = byFirst.floorEntry(record.offset());
                    if (wanted != null && wanted.getValue().holds(record.offset())) {
                      found.add(record.offset());
                    }
                  });
          long now = consumer.position(of);
          if (now > position) {
            end = System.nanoTime() + PATIENCE.toNanos();
          } else if (System.nanoTime() > end) {
            throw new ConflictException(
                "Cannot verify topic %s: partition %d was not handed over from offset %d on within %d s. See whether the brokers run; then run again."
                    .formatted(topic, partition, position, PATIENCE.toSeconds()));
          }
          position = now;
        }
      }
    }
    return found;
  }
}
