package io.tidemark.tests.kafka;

import io.tidemark.tests.harness.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * A Kafka broker (KRaft, both roles) in a process of its own, on its own class path and the
 * loopback address only. It has two listeners: one for everybody, and one that asks for {@link
 * #USER}'s password.
 */
final class KafkaBroker implements AutoCloseable {

  static final String USER = "reader";

  private static final Path JARS = Path.of("..", "kafka-broker", "target", "lib");
  private static final String CLUSTER = "4L6g3nShT-eMCtK--X86sw";

  private final Path directory;
  private final int port;
  private final int saslPort;
  private Process process;

  private KafkaBroker(Path directory, int port, int saslPort, int controllerPort, String password)
      throws IOException, InterruptedException {
    this.directory = directory;
    this.port = port;
    this.saslPort = saslPort;
    Files.writeString(
        directory.resolve("server.properties"),
        """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:%3$d
        listeners=PLAINTEXT://127.0.0.1:%1$d,SASL_PLAINTEXT://127.0.0.1:%2$d,CONTROLLER://127.0.0.1:%3$d
        controller.listener.names=CONTROLLER
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
        sasl.enabled.mechanisms=PLAIN
        listener.name.sasl_plaintext.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_%5$s="%6$s";
        log.dirs=%4$s
        auto.create.topics.enable=false
        offsets.topic.replication.factor=1
        offsets.topic.num.partitions=1
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        transaction.state.log.num.partitions=1
        share.coordinator.state.topic.replication.factor=1
        share.coordinator.state.topic.min.isr=1
        group.initial.rebalance.delay.ms=0
        log.retention.ms=-1
        log.cleaner.dedupe.buffer.size=2097152
        broker.session.timeout.ms=2000
        broker.heartbeat.interval.ms=500
        """
            .formatted(port, saslPort, controllerPort, directory.resolve("data"), USER, password));
    Files.writeString(
        directory.resolve("log4j2.properties"),
        """
        rootLogger.level=info
        rootLogger.appenderRef.file.ref=file
        appender.file.type=File
        appender.file.name=file
        appender.file.fileName=%s
        appender.file.layout.type=PatternLayout
        appender.file.layout.pattern=%%d %%p %%c{1} - %%m%%n
        """
            .formatted(log()));
    Process format =
        java(
            "kafka.tools.StorageTool",
            "format",
            "-t",
            CLUSTER,
            "-c",
            directory.resolve("server.properties").toString());
    if (format.waitFor() != 0) {
      throw new IOException("Could not format the broker's storage, see " + output());
    }
    process = start();
  }

  static KafkaBroker start(Path directory, String password)
      throws IOException, InterruptedException {
    int[] ports = freePorts();
    return new KafkaBroker(directory, ports[0], ports[1], ports[2], password);
  }

  private static int[] freePorts() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket one = new ServerSocket(0, 1, loopback);
        ServerSocket two = new ServerSocket(0, 1, loopback);
        ServerSocket three = new ServerSocket(0, 1, loopback)) {
      return new int[] {one.getLocalPort(), two.getLocalPort(), three.getLocalPort()};
    }
  }

  private Process start() throws IOException {
    Files.deleteIfExists(log());
    Process started = java("kafka.Kafka", directory.resolve("server.properties").toString());
    Await.until("the broker has started, see " + output(), () -> hasStarted(started));
    return started;
  }

  private boolean hasStarted(Process started) {
    if (!started.isAlive()) {
      throw new IllegalStateException("The broker did not start, see " + output());
    }
    try {
      return Files.exists(log()) && Files.readString(log()).contains("Kafka Server started");
    } catch (IOException e) {
      return false; // It is being written.
    }
  }

  void restart() throws IOException {
    process = start();
  }

  /** By kill -9. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  String servers() {
    return "127.0.0.1:" + port;
  }

  String serversWithPassword() {
    return "127.0.0.1:" + saslPort;
  }

  Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", servers()));
  }

  /** Makes a topic that keeps all records, unless the settings say otherwise. */
  void create(String topic, int partitions, Map<String, String> settings) throws Exception {
    try (Admin admin = admin()) {
      admin
          .createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
          .all()
          .get();
    }
  }

  private Path log() {
    return directory.resolve("broker.log");
  }

  private Path output() {
    return directory.resolve("output.txt");
  }

  private Process java(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dlog4j2.configurationFile=" + directory.resolve("log4j2.properties"),
            "-cp",
            JARS.toAbsolutePath() + "/*"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(output().toFile()))
        .start();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(15, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
