package io.tidemark.tests.kafka;

import io.tidemark.tests.oracle.Event;
import io.tidemark.tests.oracle.SourceRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Writes records to a topic and remembers them as the oracle has them. */
final class TopicWriter implements AutoCloseable {

  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;
  private final List<SourceRecord> written = new ArrayList<>();

  private TopicWriter(String topic, Map<String, Object> options) {
    this.topic = topic;
    this.producer =
        new KafkaProducer<>(options, new ByteArraySerializer(), new ByteArraySerializer());
  }

  static TopicWriter to(KafkaBroker broker, String topic) {
    return new TopicWriter(topic, options(broker));
  }

  static TopicWriter inTransactions(KafkaBroker broker, String topic) {
    Map<String, Object> options = options(broker);
    options.put("transactional.id", "tx-" + topic);
    TopicWriter writer = new TopicWriter(topic, options);
    writer.producer.initTransactions();
    return writer;
  }

  private static Map<String, Object> options(KafkaBroker broker) {
    Map<String, Object> options = new HashMap<>();
    options.put("bootstrap.servers", broker.servers());
    options.put("linger.ms", 5);
    options.put("delivery.timeout.ms", 120_000);
    options.put("reconnect.backoff.max.ms", 500);
    return options;
  }

  /** What has been written and committed, with its partition and offset for a file and a line. */
  List<SourceRecord> written() {
    return List.copyOf(written);
  }

  void event(int partition, Event event) throws Exception {
    record(partition, SourceRecord.of("", event));
  }

  /** Writes the record's line, at the time of its event's arrival. */
  void record(int partition, SourceRecord record) throws Exception {
    Event event = record.event();
    Instant arrival =
        event == null || event.arrivedAt() == null
            ? Instant.parse("2026-03-01T12:00:00Z")
            : event.arrivedAt();
    RecordMetadata where = raw(partition, arrival, "key", record.line());
    written.add(
        new SourceRecord(
            "%05d-%012d".formatted(where.partition(), where.offset()), record.line(), event));
  }

  RecordMetadata raw(
      int partition, Instant time, String key, @Nullable String value, String... headers)
      throws ExecutionException, InterruptedException {
    return raw(
        partition,
        time,
        key,
        value == null ? null : value.getBytes(StandardCharsets.UTF_8),
        headers);
  }

  RecordMetadata raw(
      int partition, Instant time, String key, byte @Nullable [] value, String... headers)
      throws ExecutionException, InterruptedException {
    Headers all = new RecordHeaders();
    for (int i = 0; i < headers.length; i += 2) {
      all.add(headers[i], headers[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    return producer
        .send(
            new ProducerRecord<>(
                topic,
                partition,
                time.toEpochMilli(),
                key.getBytes(StandardCharsets.UTF_8),
                value,
                all))
        .get();
  }

  void begin() {
    producer.beginTransaction();
  }

  void commit() {
    producer.commitTransaction();
  }

  void abort() {
    producer.abortTransaction();
  }

  @Override
  public void close() {
    producer.close();
  }
}
