package io.tidemark.tests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tests.harness.ChildJvm;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.JsonLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A password that gives access to the topic is in none of the files that jobs write: logs down to
 * the finest, Spark's event log, tables, checkpoints, result files.
 */
@Tag("spark")
class KafkaSecretsTest {

  private static final String CANARY = "petrel-4f1b77";
  private static final String WRONG = "petrel-wrong-90ac";

  @TempDir Path directory;
  @TempDir Path brokerDirectory;
  @TempDir Path secrets;

  @Test
  void aPasswordOpensTheTopicAndIsWrittenNowhere() throws Exception {
    try (KafkaBroker broker = KafkaBroker.start(brokerDirectory, CANARY)) {
      broker.create("clicks", 1, Map.of());
      try (TopicWriter writer = TopicWriter.to(broker, "clicks")) {
        writer.event(0, Events.at("a", "k", Instant.parse("2026-03-01T12:00:00Z")));
      }
      TestPipeline pipeline =
          TestPipeline.in(
              directory,
              yaml ->
                  yaml.with(
                          "source",
                          "{kind: kafka, bootstrap-servers: '%s', topic: clicks, format: json}"
                              .formatted(broker.serversWithPassword()))
                      .with(
                          "event",
                          "{schema: '" + JsonLine.SCHEMA + "', id: id, time: happened_at}"));

      ChildJvm reads = bySpark(pipeline, CANARY, "ingest", "--available-now");
      assertThat(reads.exitCode()).as(reads.said()).isZero();
      assertThat(pipeline.read(pipeline.tables().archive()).count()).isEqualTo(1);
      ChildJvm verifies = byFile(pipeline, CANARY, "verify", "--source");
      assertThat(verifies.exitCode()).as(verifies.said()).isZero();
      ChildJvm refused = byFile(pipeline, WRONG, "ingest", "--available-now");
      assertThat(refused.exitCode()).as(refused.said()).isEqualTo(5);
      assertThat(refused.said())
          .contains(
              "Kafka refuses topic clicks at "
                  + broker.serversWithPassword()
                  + " (SaslAuthenticationException Authentication failed: Invalid username or"
                  + " password).");
    }
    assertThat(filesWith("happened_at")).as("what is looked through").hasSizeGreaterThan(5);
    assertThat(filesWith("ConsumerConfig values")).as("Kafka logs its options").isNotEmpty();
    assertThat(filesWith("SparkListenerEnvironmentUpdate")).as("event logs").isNotEmpty();
    try (Stream<String> lines = Files.lines(directory.resolve("debug.log"))) {
      assertThat(lines.filter(line -> line.contains("petrel")).limit(5)).isEmpty();
    }
    assertThat(filesWith("petrel")).isEmpty();
  }

  private static final String PROTOCOL = "security.protocol=SASL_PLAINTEXT";
  private static final String MECHANISM = "sasl.mechanism=PLAIN";

  private static String jaas(String password) {
    return "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required"
        + " username=\"%s\" password=\"%s\";".formatted(KafkaBroker.USER, password);
  }

  /** With the options in a file that Spark's configuration names. */
  private ChildJvm byFile(TestPipeline pipeline, String password, String... verb)
      throws IOException {
    Path options =
        secrets.resolve(password.equals(CANARY) ? "right.properties" : "wrong.properties");
    Files.write(options, List.of(PROTOCOL, MECHANISM, jaas(password)));
    return run(pipeline, List.of("-Dspark.tidemark.kafka.config=" + options), verb);
  }

  /** With the options in Spark's configuration, which spark-submit hands over in this way. */
  private ChildJvm bySpark(TestPipeline pipeline, String password, String... verb)
      throws IOException {
    return run(
        pipeline,
        Stream.of(PROTOCOL, MECHANISM, jaas(password), "ssl.keystore.key=petrel-key")
            .map(option -> "-Dspark.tidemark.kafka." + option)
            .toList(),
        verb);
  }

  private ChildJvm run(TestPipeline pipeline, List<String> settings, String... verb)
      throws IOException {
    Path log =
        Files.writeString(
            secrets.resolve("log4j2.properties"),
            """
            rootLogger.level = debug
            rootLogger.appenderRef.file.ref = file
            appender.file.type = File
            appender.file.name = file
            appender.file.fileName = %s
            appender.file.layout.type = PatternLayout
            appender.file.layout.pattern = %%d %%p %%c: %%m%%n%%ex
            # Byte by byte on the wire, and code that Spark generates: no options there.
            logger.codegen.name = org.apache.spark.sql.catalyst.expressions.codegen
            logger.codegen.level = info
            """
                .formatted(directory.resolve("debug.log")));
    Files.createDirectories(directory.resolve("events"));
    List<String> options = new ArrayList<>(settings);
    options.add("-Dlog4j2.configurationFile=" + log);
    options.add("-Dspark.eventLog.enabled=true");
    options.add("-Dspark.eventLog.compress=false");
    options.add("-Dspark.eventLog.dir=" + directory.resolve("events").toUri());
    return ChildJvm.start(pipeline, options, verb);
  }

  private List<Path> filesWith(String text) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        // Bytes as characters: tables are no text.
        String content = Files.readString(file, StandardCharsets.ISO_8859_1);
        if (content.contains(text)) {
          found.add(file);
        }
      }
    }
    return found;
  }
}
