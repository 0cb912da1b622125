package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class StoreRuleTest {

  private static final Path FOLDER = new Path(S3Server.uri("warehouse"));

  @TempDir static java.nio.file.Path directory;
  private static S3Server server;

  @BeforeAll
  static void start() throws Exception {
    server = S3Server.start(directory, S3Server.Authorization.NONE, S3Server.SECRET_KEY);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Configuration configuration(int port) {
    Configuration configuration = S3Server.configuration(port);
    // Each test has a client of its own.
    configuration.setBoolean("fs.s3a.impl.disable.cache", true);
    return configuration;
  }

  @Test
  void aStoreThatIgnoresTheConditionIsRefusedAndAnExclusiveOneIsNot() throws IOException {
    try (FaultProxy deaf = FaultProxy.before(server, FaultPlan.ignoringTheCondition())) {
      Optional<String> broken = StoreRule.broken(FOLDER, configuration(deaf.port()));

      assertThat(broken.orElseThrow())
          .startsWith("the store of s3a://lake does not create objects exclusively (")
          .contains("puts of one object at once were acknowledged")
          .endsWith(
              "so that two processes would lose each other's commits. Use a store that honours"
                  + " 'If-None-Match: *' atomically, or a warehouse on local files;"
                  + " docs/object-stores.md lists both.");
    }
    assertThat(StoreRule.broken(FOLDER, configuration(server.port()))).isEmpty();
    // Asked once per JVM and bucket: nobody listens there.
    assertThat(StoreRule.broken(FOLDER, configuration(1))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fs.s3a.create.performance            | true         | fs.s3a.create.performance=true
          fs.s3a.performance.flags             | mkdir,Create | fs.s3a.performance.flags=mkdir,Create
          fs.s3a.performance.flags             | *            | fs.s3a.performance.flags=*
          fs.s3a.bucket.other.performance.flags | create      | fs.s3a.performance.flags=create
          """)
  void aFlagThatSkipsTheConditionIsRefused(String key, String value, String named) {
    Configuration configuration = configuration(server.port());
    configuration.set(key, value);

    assertThat(StoreRule.broken(new Path("s3a://other/warehouse"), configuration))
        .contains(
            "the setting "
                + named
                + " lets S3A create objects in s3a://other without looking whether they exist. Take"
                + " 'create' and '*' out of it, also of its form for one bucket (fs.s3a.bucket.…).");
  }

  @Test
  void aClientWithoutConditionalPutsIsRefused() {
    Configuration configuration = configuration(server.port());
    configuration.setBoolean("fs.s3a.create.conditional.enabled", false);

    assertThat(StoreRule.broken(new Path("s3a://another/warehouse"), configuration))
        .contains(
            "the S3A client sends no conditional puts. Use hadoop-aws 3.4.2 or newer, and leave"
                + " fs.s3a.create.conditional.enabled at true.");
  }

  @Test
  void aStoreThatCannotBeReachedIsNotSafe() {
    assertThatThrownBy(() -> StoreRule.broken(new Path("s3a://nobody/warehouse"), configuration(1)))
        .isInstanceOf(UnsafeEnvironmentException.class)
        .hasMessageStartingWith("Cannot work on s3a://nobody: ")
        .hasMessageEndingWith(
            "Mend fs.s3a.endpoint, the bucket's name or the network, or wait for the store.");
  }
}
