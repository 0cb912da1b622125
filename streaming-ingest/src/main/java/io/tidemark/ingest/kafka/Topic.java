package io.tidemark.ingest.kafka;

import io.tidemark.spec.error.ConflictException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.error.TidemarkException;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** A topic as its brokers know it. Each question opens a connection of its own. */
final class Topic {

  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final KafkaConnection connection;
  private final String name;

  Topic(KafkaConnection connection, String name) {
    this.connection = connection;
    this.name = name;
  }

  /**
   * How long a topic keeps records.
   *
   * @param time empty: for ever
   * @param bytes of each partition; empty: any number
   * @param compacted whether older records of a key are removed
   */
  record Retention(Optional<Duration> time, Optional<Long> bytes, boolean compacted) {}

  /**
   * The offsets that it holds now, by partition.
   *
   * @throws TidemarkException if it is not there or cannot be reached
   */
  SortedMap<Integer, OffsetRange> ranges() {
    return ask(
        admin -> {
          List<TopicPartition> partitions =
              await(admin.describeTopics(List.of(name)).allTopicNames()).values().stream()
                  .flatMap(topic -> topic.partitions().stream())
                  .map(partition -> new TopicPartition(name, partition.partition()))
                  .toList();
          Map<TopicPartition, ListOffsetsResultInfo> first =
              offsets(admin, partitions, OffsetSpec.earliest());
          Map<TopicPartition, ListOffsetsResultInfo> end =
              offsets(admin, partitions, OffsetSpec.latest());
          SortedMap<Integer, OffsetRange> ranges = new TreeMap<>();
          first.forEach(
              (partition, info) ->
                  ranges.put(
                      partition.partition(),
                      new OffsetRange(
                          info.offset(),
                          Math.max(
                              info.offset(),
                              Optional.ofNullable(end.get(partition)).orElse(info).offset()))));
          return ranges;
        });
  }

  /**
   * How long it keeps records.
   *
   * @throws TidemarkException if it is not there, cannot be reached or may not be asked
   */
  Retention retention() {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
    return ask(
        admin -> {
          Config config =
              Optional.ofNullable(
                      await(admin.describeConfigs(List.of(resource)).all()).get(resource))
                  .orElse(new Config(List.of()));
          String policy = value(config, TopicConfig.CLEANUP_POLICY_CONFIG).orElse("delete");
          boolean deletes = policy.contains(TopicConfig.CLEANUP_POLICY_DELETE);
          return new Retention(
              number(config, TopicConfig.RETENTION_MS_CONFIG)
                  .filter(ignored -> deletes)
                  .map(Duration::ofMillis),
              number(config, TopicConfig.RETENTION_BYTES_CONFIG).filter(ignored -> deletes),
              policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT));
        });
  }

  private static Optional<Long> number(Config config, String name) {
    return value(config, name).map(Long::parseLong).filter(number -> number >= 0);
  }

  private static Optional<String> value(Config config, String name) {
    return Optional.ofNullable(config.get(name)).map(entry -> entry.value());
  }

  private static Map<TopicPartition, ListOffsetsResultInfo> offsets(
      Admin admin, List<TopicPartition> partitions, OffsetSpec spec)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    partitions.forEach(partition -> wanted.put(partition, spec));
    return await(admin.listOffsets(wanted).all());
  }

  private interface Question<T> {
    T askOf(Admin admin) throws ExecutionException, InterruptedException;
  }

  private <T> T ask(Question<T> question) {
    Map<String, Object> options = connection.forClient();
    options.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
    options.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis() / 3);
    try (Admin admin = Admin.create(options)) {
      return question.askOf(admin);
    } catch (ExecutionException e) {
      throw refusal(e.getCause() == null ? e : e.getCause());
    } catch (KafkaException | IllegalArgumentException e) {
      throw refusal(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConflictException("Interrupted while asking Kafka for topic " + name + ".", e);
    }
  }

  /** Without the cause: what a client says of its options might end in a log. */
  private TidemarkException refusal(Throwable failure) {
    String where = "topic " + name + " at " + connection.servers();
    if (failure instanceof UnknownTopicOrPartitionException) {
      return new SpecException(
          "There is no "
              + where
              + ". Create it, or mend source.topic or source.bootstrap-servers.");
    }
    if (failure instanceof TimeoutException) {
      return new ConflictException(
          "Cannot reach "
              + where
              + " within "
              + PATIENCE.toSeconds()
              + " s ("
              + words(failure)
              + "). See whether the brokers run and speak the security protocol that Spark's"
              + " configuration gives; then run again.");
    }
    if (failure instanceof AuthenticationException || failure instanceof AuthorizationException) {
      return new UnsafeEnvironmentException(
          "Kafka refuses "
              + where
              + " ("
              + words(failure)
              + "). Mend the options spark.tidemark.kafka.*, or have the right to read and describe"
              + " the topic granted: docs/kafka.md.");
    }
    return new UnsafeEnvironmentException(
        "Cannot ask for "
            + where
            + " ("
            + words(failure)
            + "). Mend the options spark.tidemark.kafka.*: docs/kafka.md.");
  }

  private String words(Throwable failure) {
    StringBuilder words = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      words.append(words.isEmpty() ? "" : ": ").append(cause.getClass().getSimpleName());
      if (cause.getMessage() != null) {
        words.append(' ').append(cause.getMessage());
      }
    }
    return connection.withoutSecrets(words.toString());
  }

  private static <T> T await(KafkaFuture<T> answer)
      throws ExecutionException, InterruptedException {
    return answer.get();
  }
}
