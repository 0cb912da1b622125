package io.tidemark.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Tidemark;
import io.tidemark.store.S3Server;
import io.tidemark.tests.harness.PipelineYaml;
import io.tidemark.tests.harness.TestSpark;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A key that is planted wherever keys may come from opens the store and is found in nothing that
 * the commands write: logs at level INFO, event logs, results, tables, answers and errors.
 */
@Tag("spark")
@Timeout(300)
class SecretsTest {

  private static final String CANARY = "canaryGelbKv83Tq0Zw71secret";
  private static final String WRONG_CANARY = "canaryRotPm27Xh5Yd94secret";

  @TempDir Path directory;

  private S3Server server;
  private Path written;
  private Path file;

  @BeforeEach
  void start() throws Exception {
    server = S3Server.start(directory, S3Server.Authorization.SIGNED, CANARY);
    written = Files.createDirectories(directory.resolve("written"));
    Files.createDirectories(written.resolve("events"));
    Path landing = Files.createDirectories(directory.resolve("landing"));
    file = Files.writeString(written.resolve("events.yaml"), PipelineYaml.reading(landing).text());
    Files.writeString(
        directory.resolve("log.properties"),
        """
        rootLogger.level = info
        rootLogger.appenderRef.console.ref = console
        appender.console.type = Console
        appender.console.name = console
        appender.console.target = SYSTEM_ERR
        appender.console.layout.type = PatternLayout
        appender.console.layout.pattern = %p %c: %m%n%ex
        """);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aKeyIsTakenFromWhereItMayBeAndWrittenNowhere() throws Exception {
    Map<String, String> keys =
        Map.of("fs.s3a.access.key", S3Server.ACCESS_KEY, "fs.s3a.secret.key", CANARY);
    assertThat(run("by-file", "init", properties("file", keys), Map.of())).isZero();
    assertThat(
            run(
                "by-provider",
                "status",
                properties(
                    "provider", Map.of("hadoop.security.credential.provider.path", provider(keys))),
                Map.of()))
        .isZero();
    assertThat(
            run(
                "by-environment",
                "status",
                properties("none", Map.of()),
                Map.of("AWS_ACCESS_KEY_ID", S3Server.ACCESS_KEY, "AWS_SECRET_ACCESS_KEY", CANARY)))
        .isZero();
    assertThat(
            run(
                "by-wrong-key",
                "init",
                properties("none", Map.of()),
                Map.of(
                    "AWS_ACCESS_KEY_ID",
                    S3Server.ACCESS_KEY,
                    "AWS_SECRET_ACCESS_KEY",
                    WRONG_CANARY)))
        .isEqualTo(5);

    assertThat(Files.readString(written.resolve("by-wrong-key.txt")))
        .contains("Cannot work on s3a://lake: ")
        .contains("Mend the keys (environment, Spark's properties file or Hadoop's credential");
    assertThat(texts(written))
        .as("settings were written out, so that a secret among them would show")
        .anyMatch(
            text -> text.contains("\"spark.hadoop.fs.s3a.secret.key\":\"*********(redacted)"));
    for (Path place : List.of(written, directory.resolve("objects"))) {
      assertThat(texts(place)).noneMatch(text -> text.contains(CANARY));
      assertThat(texts(place)).noneMatch(text -> text.contains(WRONG_CANARY));
    }
  }

  @Test
  void aKeyOnTheCommandLineIsRefusedWithoutBeingRepeated() throws IOException {
    Path result = written.resolve("refused.json");
    List<String> verb = List.of("status", file.toString(), "--result", result.toString());
    for (List<String> secret :
        List.of(
            List.of("--warehouse", "/none", "--conf", "spark.hadoop.fs.s3a.secret.key=" + CANARY),
            List.of(
                "--warehouse",
                "/none",
                "--conf",
                "spark.hadoop.fs.s3a.bucket.x.access.key=" + CANARY),
            List.of("--warehouse", "s3a://id:" + CANARY + "@lake/warehouse"))) {
      List<String> line = new ArrayList<>(verb);
      line.addAll(secret);

      assertThat(Tidemark.run(line.toArray(String[]::new))).isEqualTo(2);
      assertThat(Files.readString(result)).contains("properties-file").doesNotContain(CANARY);
    }
  }

  private int run(String name, String verb, Path properties, Map<String, String> environment)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> !option.startsWith("-javaagent"))
        .forEach(command::add);
    command.add("-Dlog4j2.configurationFile=" + directory.resolve("log.properties"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Tidemark.class.getName(), verb, file.toString(), "--stacktrace"));
    command.addAll(List.of("--warehouse", S3Server.uri("warehouse")));
    command.addAll(List.of("--properties-file", properties.toString()));
    command.addAll(List.of("--result", written.resolve(name + ".json").toString()));
    TestSpark.SETTINGS.forEach(
        (key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(written.resolve(name + ".txt").toFile());
    builder.environment().keySet().removeAll(Set.of("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"));
    builder.environment().putAll(environment);
    return builder.start().waitFor();
  }

  private Path properties(String name, Map<String, String> hadoop) throws IOException {
    Map<String, String> settings = new TreeMap<>();
    S3Server.settingsWithoutKeys(server.port())
        .forEach((key, value) -> settings.put("spark.hadoop." + key, value));
    hadoop.forEach((key, value) -> settings.put("spark.hadoop." + key, value));
    settings.put("spark.eventLog.enabled", "true");
    settings.put("spark.eventLog.compress", "false");
    settings.put("spark.eventLog.dir", written.resolve("events").toUri().toString());
    return Files.writeString(
        directory.resolve(name + ".properties"),
        settings.entrySet().stream()
            .map(setting -> setting.getKey() + "=" + setting.getValue() + "\n")
            .collect(Collectors.joining()));
  }

  private String provider(Map<String, String> keys) throws IOException {
    String path = "jceks://file" + directory.resolve("keys.jceks");
    Configuration configuration = new Configuration();
    configuration.set(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, path);
    CredentialProvider provider = CredentialProviderFactory.getProviders(configuration).get(0);
    for (Map.Entry<String, String> key : keys.entrySet()) {
      provider.createCredentialEntry(key.getKey(), key.getValue().toCharArray());
    }
    provider.flush();
    return path;
  }

  /** Of every file, a character for each byte. */
  private static List<String> texts(Path place) throws IOException {
    try (Stream<Path> files = Files.walk(place)) {
      List<String> texts = new ArrayList<>();
      for (Path one : files.filter(Files::isRegularFile).toList()) {
        texts.add(Files.readString(one, StandardCharsets.ISO_8859_1));
      }
      return texts;
    }
  }
}
