package io.tidemark.tests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.tests.harness.Await;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.ArrivalBatch;
import io.tidemark.tests.oracle.GeneratedEvents;
import io.tidemark.tests.oracle.JsonLine;
import io.tidemark.tests.oracle.Limits;
import io.tidemark.tests.oracle.Oddity;
import io.tidemark.tests.oracle.Oracle;
import io.tidemark.tests.oracle.Rules;
import io.tidemark.tests.oracle.SourceRecord;
import io.tidemark.tests.oracle.Traffic;
import io.tidemark.tests.oracle.Windows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A pipeline on a topic of a real broker, from its first start to what the topic has deleted. */
@Tag("spark")
class KafkaSourceTest {

  private static final Limits LIMITS = new Limits(Duration.ofSeconds(30), Duration.ofDays(30));
  private static final Rules RULES =
      Rules.countingAll(LIMITS, Windows.tumbling(Duration.ofMinutes(1)));
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir static Path brokerDirectory;
  private static KafkaBroker broker;

  @TempDir Path directory;
  private String topic;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = KafkaBroker.start(brokerDirectory, "unused");
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @BeforeEach
  void nameTopic(TestInfo test) {
    topic = test.getTestMethod().orElseThrow().getName();
  }

  /** Partition 3 stays idle, and a fifth of all records goes to partition 0. */
  @Test
  void whatIsSettledIsTheOraclesAnswer() throws Exception {
    broker.create(topic, 4, Map.of());
    TestPipeline pipeline = pipeline("");
    Traffic traffic = Traffic.usual(NOON, 3, 100).with(Oddity.NULL_ARRIVAL, 0);
    try (TopicWriter writer = TopicWriter.to(broker, topic)) {
      int number = 0;
      for (ArrivalBatch batch : GeneratedEvents.batches(7, traffic)) {
        for (SourceRecord record : batch.records()) {
          writer.record(number++ % 5 == 0 ? 0 : 1 + number % 2, record);
        }
        writer.raw(1, NOON, "gone", (String) null);
        pipeline.stream();
      }
      pipeline.close();

      assertThat(pipeline.measures()).isEqualTo(new Oracle(RULES).answer(writer.written()).rows());
      assertThat(pipeline.verify().differing()).isZero();
      assertThat(pipeline.ledger().get(0).events().residual()).isZero();
      assertThat(problems(pipeline).get("tombstone")).isEqualTo(3);
      JsonNode found = pipeline.answer(0, "verify", "--source");
      assertThat(found.path("holes")).isEmpty();
      assertThat(found.path("partitions").findValuesAsText("archived"))
          .containsExactly("60", "123", "120", "0");
    }
    assertThat(pipeline.messages()).isEmpty();
  }

  @Test
  void aPartitionThatIsAddedIsReadFromItsBeginningWhileTheStreamRuns() throws Exception {
    broker.create(topic, 1, Map.of());
    TestPipeline pipeline = pipeline(", max-offsets-per-trigger: 7");
    StreamingQuery ingest = pipeline.ingestJob().start(Trigger.ProcessingTime(100));
    try (TopicWriter writer = TopicWriter.to(broker, topic);
        Admin admin = broker.admin()) {
      for (int i = 0; i < 20; i++) {
        writer.event(0, Events.at("a" + i, "k", NOON.plusSeconds(i)));
      }
      awaitArchived(pipeline, 20);
      admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(2))).all().get();
      writer.event(1, Events.at("b0", "k", NOON));
      writer.event(1, Events.at("b1", "k", NOON));
      writer.event(0, Events.at("a20", "k", NOON));
      awaitArchived(pipeline, 23);
    } finally {
      ingest.stop();
    }
    JsonNode found = pipeline.answer(0, "verify", "--source");
    assertThat(found.path("holes")).isEmpty();
    assertThat(found.path("partitions").findValuesAsText("archived")).containsExactly("21", "2");
  }

  @Test
  void recordsOfAbortedTransactionsAreNotCountedAndAreNamed() throws Exception {
    broker.create(topic, 1, Map.of());
    TestPipeline pipeline = pipeline("");
    try (TopicWriter writer = TopicWriter.inTransactions(broker, topic)) {
      writer.begin();
      writer.event(0, Events.at("committed", "k", NOON)); // 0, and its marker 1
      writer.commit();
      writer.begin();
      writer.event(0, Events.at("aborted-1", "k", NOON)); // 2
      writer.event(0, Events.at("aborted-2", "k", NOON)); // 3, and its marker 4
      writer.abort();
      writer.begin();
      writer.event(0, Events.at("last", "k", NOON)); // 5, and its marker 6
      writer.commit();
    }
    pipeline.ingest();
    assertThat(pipeline.read(pipeline.tables().archive()).select("event.id").collectAsList())
        .extracting(row -> row.getString(0))
        .containsExactlyInAnyOrder("committed", "last");
    JsonNode found = pipeline.answer(0, "verify", "--source");
    assertThat(found.path("holes").toString())
        .isEqualTo(
            "[{\"partition\":0,\"first_offset\":1,\"end_offset\":2,\"kind\":\"marker\"},"
                + "{\"partition\":0,\"first_offset\":2,\"end_offset\":4,\"kind\":\"aborted\"},"
                + "{\"partition\":0,\"first_offset\":4,\"end_offset\":5,\"kind\":\"marker\"},"
                + "{\"partition\":0,\"first_offset\":6,\"end_offset\":7,\"kind\":\"marker\"}]");
  }

  @Test
  void uncommittedRecordsAreReadWhereTheFileSaysSo() throws Exception {
    broker.create(topic, 1, Map.of());
    TestPipeline pipeline = pipeline(", isolation: read-uncommitted");
    try (TopicWriter writer = TopicWriter.inTransactions(broker, topic)) {
      writer.begin();
      writer.event(0, Events.at("aborted", "k", NOON));
      writer.abort();
    }
    pipeline.ingest();
    assertThat(pipeline.read(pipeline.tables().archive()).count()).isEqualTo(1);
  }

  @Test
  void aGapOfTheSourceEndsIngestUntilItIsAcceptedAndIsShownUntilItIsAcknowledged()
      throws Exception {
    broker.create(topic, 2, Map.of());
    TestPipeline pipeline = pipeline("");
    try (TopicWriter writer = TopicWriter.to(broker, topic)) {
      writer.event(0, Events.at("before", "k", NOON));
      pipeline.stream();
      for (int i = 0; i < 5; i++) {
        writer.event(0, Events.at("lost-" + i, "k", NOON));
      }
      writer.event(0, Events.at("after", "k", NOON));
    }
    deleteBefore(0, 6);

    String refusal =
        "Cannot ingest from topic %s: it has deleted records that were not read yet: partition 0, offsets 1 to 5 (5). Kafka cannot give them back."
            .formatted(topic);
    assertThat(pipeline.answer(5, "stream", "--available-now").path("error").asText())
        .startsWith(refusal)
        .contains("--accept-source-gap");
    pipeline.answer(5, "ingest", "--dry-run");

    pipeline.answer(0, "stream", "--available-now", "--accept-source-gap");
    assertThat(pipeline.read(pipeline.tables().archive()).select("event.id").collectAsList())
        .extracting(row -> row.getString(0))
        .containsExactlyInAnyOrder("before", "after");
    assertThat(pipeline.answer(0, "status").at("/pipelines/0/source_gaps").toString())
        .isEqualTo("[{\"topic\":\"%s\",\"partition\":0,\"first\":1,\"end\":6}]".formatted(topic));
    pipeline.answer(0, "ingest", "--available-now");
    assertThat(pipeline.answer(0, "settle", "--dry-run").path("source_gaps")).hasSize(1);

    JsonNode found = pipeline.answer(0, "verify", "--source", "--acknowledge-gaps", "restored");
    assertThat(found.path("holes").toString())
        .isEqualTo(
            "[{\"partition\":0,\"first_offset\":1,\"end_offset\":6,\"kind\":\"accepted-gap\"}]");
    assertThat(pipeline.answer(0, "status").at("/pipelines/0/source_gaps")).isEmpty();
  }

  /** Killed between the archive's commit and Spark's own, then a gap: neither lost nor doubled. */
  @Test
  void aGapBehindABatchThatSparkDoesNotKnowToBeDoneIsPassedToo() throws Exception {
    broker.create(topic, 1, Map.of());
    TestPipeline pipeline = pipeline("");
    try (TopicWriter writer = TopicWriter.to(broker, topic)) {
      writer.event(0, Events.at("first", "k", NOON));
      pipeline.ingest();
      writer.event(0, Events.at("archived", "k", NOON));
      pipeline.ingest();
      Path commits = Path.of(pipeline.tables().ingestCheckpoint(), "commits");
      Files.delete(commits.resolve("1"));
      Files.deleteIfExists(commits.resolve(".1.crc"));
      writer.event(0, Events.at("lost", "k", NOON));
      writer.event(0, Events.at("after", "k", NOON));
      deleteBefore(0, 3);
      pipeline.answer(5, "ingest", "--available-now");
      pipeline.answer(0, "ingest", "--available-now", "--accept-source-gap");
      // Planned, and neither archived nor done.
      writer.event(0, Events.at("planned", "k", NOON));
    }
    assertThat(pipeline.read(pipeline.tables().archive()).select("event.id").collectAsList())
        .extracting(row -> row.getString(0))
        .containsExactlyInAnyOrder("first", "archived", "after");
    pipeline.ingest();
    JsonNode found = pipeline.answer(0, "verify", "--source");
    assertThat(found.path("holes").toString())
        .isEqualTo(
            "[{\"partition\":0,\"first_offset\":2,\"end_offset\":3,\"kind\":\"accepted-gap\"}]");
  }

  @Test
  void whatIsMissingOrRepeatedIsFound() throws Exception {
    broker.create(topic, 1, Map.of());
    TestPipeline pipeline = pipeline("");
    try (TopicWriter writer = TopicWriter.to(broker, topic)) {
      for (int i = 0; i < 10; i++) {
        writer.event(0, Events.at("e" + i, "k", NOON));
      }
    }
    pipeline.ingest();
    String archive = pipeline.tables().archive().value();
    pipeline
        .read(pipeline.tables().archive())
        .filter("source_position.offset = 2")
        .write()
        .format("delta")
        .mode("append")
        .save(archive);
    pipeline
        .spark()
        .sql("DELETE FROM delta.`" + archive + "` WHERE source_position.offset IN (4, 5)");
    JsonNode found = pipeline.answer(3, "verify", "--source");
    assertThat(found.path("holes").toString())
        .isEqualTo("[{\"partition\":0,\"first_offset\":4,\"end_offset\":6,\"kind\":\"missing\"}]");
    assertThat(found.path("repeats").toString())
        .isEqualTo("[{\"partition\":0,\"offset\":2,\"times\":2}]");
  }

  @Test
  void aTopicThatWasMadeAnewIsRefused() throws Exception {
    broker.create(topic, 1, Map.of());
    TestPipeline pipeline = pipeline("");
    try (TopicWriter writer = TopicWriter.to(broker, topic)) {
      writer.event(0, Events.at("a", "k", NOON));
      writer.event(0, Events.at("b", "k", NOON));
    }
    pipeline.ingest();
    try (Admin admin = broker.admin()) {
      admin.deleteTopics(List.of(topic)).all().get();
      Await.until(
          "the topic is gone",
          () -> {
            try {
              return !admin.listTopics().names().get().contains(topic);
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
    }
    assertThat(pipeline.answer(2, "ingest", "--available-now").path("error").asText())
        .startsWith("There is no topic " + topic + " at " + broker.servers());
    broker.create(topic, 1, Map.of());
    assertThat(
            pipeline
                .answer(5, "ingest", "--available-now", "--accept-source-gap")
                .path("error")
                .asText())
        .startsWith(
            "Cannot ingest from topic %s: of partition 0 offset 2 comes next, and the partition ends at offset 0. So the topic was deleted and made anew"
                .formatted(topic));
  }

  @Test
  void theFirstStartBeginsWhereTheFileSays() throws Exception {
    broker.create(topic, 2, Map.of());
    try (TopicWriter writer = TopicWriter.to(broker, topic)) {
      for (int i = 0; i < 4; i++) {
        writer.event(0, Events.at("e" + i, "k", NOON.plusSeconds(i)));
      }
    }
    TestPipeline at = pipeline("at", ", start: 2026-03-01T12:00:02Z");
    at.ingest();
    assertThat(ids(at)).containsExactly("e2", "e3");
    TestPipeline offsets = pipeline("offsets", ", start: {0: 3, 1: 0}");
    offsets.ingest();
    assertThat(ids(offsets)).containsExactly("e3");
    TestPipeline latest = pipeline("latest", ", start: latest");
    latest.ingest();
    assertThat(ids(latest)).isEmpty();
    assertThat(
            pipeline("beyond", ", start: {0: 5, 1: 0}")
                .answer(2, "ingest", "--available-now")
                .path("error")
                .asText())
        .isEqualTo(
            "Cannot ingest from topic %s: source.start gives offset 5 of partition 0, which holds 0 to 3. Give one of these, or 4 for what comes next."
                .formatted(topic));
    assertThat(
            pipeline("partitions", ", start: {0: 1}")
                .answer(2, "ingest", "--available-now")
                .path("error")
                .asText())
        .isEqualTo(
            "Cannot ingest from topic %s: source.start names the partitions [0], and the topic has [0, 1]. Give an offset for each."
                .formatted(topic));
  }

  @Test
  void retentionThatIsShorterThanThePauseToSurviveIsWarnedOf() throws Exception {
    broker.create(topic, 1, Map.of("retention.ms", "86400000", "retention.bytes", "1000000"));
    TestPipeline pipeline = pipeline("");
    pipeline.ingest();
    assertThat(pipeline.messages())
        .containsExactly(
            "Warning: Topic %s keeps records for 1d (retention.ms), and ingest is to survive a pause of 3d: a longer one than the first loses records. Raise the topic's retention.ms, or lower source.longest-pause."
                .formatted(topic),
            "Warning: Topic %s keeps at most 1000000 bytes of a partition (retention.bytes): a burst may delete records however young they are. Set it to -1, if retention.ms is to decide."
                .formatted(topic));
  }

  @Test
  void keyHeaderAndTimestampAreColumnsAndHistoryIsImportedFromLines() throws Exception {
    broker.create(topic, 1, Map.of());
    TestPipeline pipeline =
        TestPipeline.in(
            directory,
            yaml ->
                yaml.with("source", source(", columns: {id: header(id), key: key}"))
                    .with("event", "{schema: '" + JsonLine.SCHEMA + "', time: happened_at}")
                    .with("identical-lines", "one"));
    String value = "{\"happened_at\": \"2026-03-01T12:00:00Z\", \"value\": 1}";
    try (TopicWriter writer = TopicWriter.to(broker, topic)) {
      writer.raw(0, NOON, "from-key", value, "id", "from-header");
      writer.raw(0, NOON, "from-key", value);
    }
    Path history = directory.resolve("history.jsonl");
    Files.writeString(
        history,
        "{\"id\": \"h\", \"key\": \"from-line\", \"happened_at\": \"2026-03-01T12:00:01Z\","
            + " \"value\": 1}\n");
    pipeline.ingest();
    pipeline.importFrom(history);
    pipeline.aggregate();
    pipeline.close();
    assertThat(pipeline.view("").select("key", "event_count").orderBy("key").collectAsList())
        .extracting(Row::toString)
        .containsExactly("[from-key,2]", "[from-line,1]");
    JsonNode explained =
        pipeline.answer(0, "explain", "--window", "2026-03-01T12:00:00Z", "--key", "key=from-key");
    assertThat(explained.toString()).contains(topic + " partition 0 offset 0");
    assertThat(pipeline.answer(0, "verify", "--source").path("holes")).isEmpty();
  }

  private TestPipeline pipeline(String keys) throws Exception {
    return pipeline("pipeline", keys);
  }

  private TestPipeline pipeline(String folder, String keys) throws Exception {
    return TestPipeline.in(
        Files.createDirectories(directory.resolve(folder)),
        yaml ->
            yaml.with("source", source(keys))
                .with(
                    "event",
                    "{schema: '"
                        + JsonLine.SCHEMA
                        + "', id: id, time: happened_at, max-future-skew: 30s}"));
  }

  private String source(String keys) {
    return "{kind: kafka, bootstrap-servers: '%s', topic: %s, format: json%s}"
        .formatted(broker.servers(), topic, keys);
  }

  private void deleteBefore(int partition, long offset) throws Exception {
    try (Admin admin = broker.admin()) {
      admin
          .deleteRecords(
              Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(offset)))
          .all()
          .get();
    }
  }

  private static void awaitArchived(TestPipeline pipeline, long records) {
    Await.until(
        records + " records are archived",
        () -> pipeline.read(pipeline.tables().archive()).count() == records);
  }

  private static List<String> ids(TestPipeline pipeline) {
    return pipeline
        .read(pipeline.tables().archive())
        .select("event.id")
        .orderBy("event.id")
        .collectAsList()
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }

  private static Map<String, Long> problems(TestPipeline pipeline) {
    return pipeline
        .read(pipeline.tables().archive())
        .filter("problem IS NOT NULL")
        .groupBy("problem")
        .count()
        .collectAsList()
        .stream()
        .collect(Collectors.toMap(row -> row.getString(0), row -> row.getLong(1)));
  }
}
