package io.tidemark.tests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.tests.harness.Await;
import io.tidemark.tests.harness.ChildJvm;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.JsonLine;
import io.tidemark.tests.oracle.Limits;
import io.tidemark.tests.oracle.Oracle;
import io.tidemark.tests.oracle.Rules;
import io.tidemark.tests.oracle.Windows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The driver and the broker are killed in turn, by kill -9 and at random moments, while records are
 * written: to one partition fast, to one slowly, to one not at all, a fifth of them of one key.
 */
@Tag("spark")
class KafkaKilledTest {

  private static final long SEED = 20260301;
  private static final int ROUNDS = 2;
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Rules RULES =
      Rules.countingAll(
          new Limits(Duration.ofMinutes(5), Duration.ofDays(30)),
          Windows.tumbling(Duration.ofMinutes(1)));

  @TempDir Path directory;

  @Test
  void theArchiveHoldsEachOffsetOnce() throws Exception {
    Path brokerDirectory = Files.createDirectories(directory.resolve("broker"));
    Random random = new Random(SEED);
    AtomicBoolean enough = new AtomicBoolean();
    ExecutorService writing = Executors.newSingleThreadExecutor();
    try (KafkaBroker broker = KafkaBroker.start(brokerDirectory, "unused");
        TopicWriter writer = prepared(broker)) {
      TestPipeline pipeline = pipeline(broker);
      Future<?> written = writing.submit(() -> write(writer, enough));
      ChildJvm driver = ingest(pipeline);
      for (int round = 0; round < ROUNDS; round++) {
        awaitCommit(pipeline, driver);
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(1500)).toNanos());
        broker.kill();
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(500)).toNanos());
        broker.restart();
        driver = revived(pipeline, driver);
        awaitCommit(pipeline, driver);
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(1500)).toNanos());
        driver.process().destroyForcibly().waitFor();
        driver = ingest(pipeline);
      }
      awaitCommit(pipeline, driver);
      driver.process().destroyForcibly().waitFor();
      enough.set(true);
      written.get();

      pipeline.stream();
      JsonNode found = pipeline.answer(0, "verify", "--source");
      assertThat(found.path("holes")).isEmpty();
      assertThat(found.path("repeats")).isEmpty();
      assertThat(pipeline.read(pipeline.tables().archive()).count())
          .as("seed %d", SEED)
          .isEqualTo(writer.written().size());
      pipeline.close();
      assertThat(pipeline.measures()).isEqualTo(new Oracle(RULES).answer(writer.written()).rows());
    } finally {
      enough.set(true);
      writing.shutdownNow();
    }
  }

  private static TopicWriter prepared(KafkaBroker broker) throws Exception {
    broker.create("clicks", 3, Map.of());
    TopicWriter writer = TopicWriter.to(broker, "clicks");
    writer.event(0, Events.at("first", "k", NOON));
    return writer;
  }

  private TestPipeline pipeline(KafkaBroker broker) throws Exception {
    return TestPipeline.in(
        directory,
        yaml ->
            yaml.with(
                    "source",
                    "{kind: kafka, bootstrap-servers: '%s', topic: clicks, format: json}"
                        .formatted(broker.servers()))
                .with("event", "{schema: '" + JsonLine.SCHEMA + "', id: id, time: happened_at}"));
  }

  /** Partition 2 stays idle. */
  private static Void write(TopicWriter writer, AtomicBoolean enough) throws Exception {
    for (int i = 0; !enough.get(); i++) {
      String key = i % 5 == 0 ? "hot" : "key-" + i % 97;
      writer.event(i % 50 == 0 ? 1 : 0, Events.at("e" + i, key, NOON.plusMillis(i * 20L)));
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
    return null;
  }

  private static ChildJvm ingest(TestPipeline pipeline) throws Exception {
    return ChildJvm.start(pipeline, List.of(), "ingest", "--trigger", "100ms");
  }

  /** The same where it lives; it may have given up while the broker was away, to be run again. */
  private static ChildJvm revived(TestPipeline pipeline, ChildJvm driver) throws Exception {
    if (driver.process().isAlive()) {
      return driver;
    }
    assertThat(driver.exitCode()).as(driver.said()).isEqualTo(4);
    return ingest(pipeline);
  }

  private static void awaitCommit(TestPipeline pipeline, ChildJvm driver) {
    long before = pipeline.format().version(pipeline.tables().archive());
    Await.until(
        "the archive has grown",
        () -> {
          if (!driver.process().isAlive()) {
            throw new IllegalStateException("ingest has ended: " + driver.said());
          }
          return pipeline.format().version(pipeline.tables().archive()) > before;
        });
  }
}
