package io.tidemark.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.FaultProxy.Fault;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class ConditionalPutTest {

  private static final Path OBJECT = new Path(S3Server.uri("commits/7"));

  @TempDir static java.nio.file.Path directory;
  private static S3Server server;
  private static FileSystem direct;

  @BeforeAll
  static void start() throws Exception {
    server = S3Server.start(directory);
    direct = fileSystem(server.port());
  }

  @AfterAll
  static void stop() throws Exception {
    direct.close();
    server.close();
  }

  private static FileSystem fileSystem(int port) throws IOException {
    Configuration configuration = S3Server.configuration(port);
    return FileSystem.newInstance(OBJECT.toUri(), configuration);
  }

  private static String content() throws IOException {
    try (var in = direct.open(OBJECT)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @Test
  void theFirstOfTwoWinsAndTheSecondLearnsIt() throws IOException {
    direct.delete(OBJECT, false);
    new ConditionalPut(direct).create(OBJECT, "first".getBytes(UTF_8));

    assertThatThrownBy(() -> new ConditionalPut(direct).create(OBJECT, "second".getBytes(UTF_8)))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage(OBJECT + ": another writer has created it");
    assertThat(content()).isEqualTo("first");
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aPutThatIsHurtOnceOrTwiceSucceedsOnce(Fault fault) throws IOException {
    for (long seed = 1; seed <= 3; seed++) {
      direct.delete(OBJECT, false);
      try (FaultProxy proxy =
              FaultProxy.before(server, FaultPlan.of(seed, Map.of(fault, 0.6), "commits/7"));
          FileSystem through = fileSystem(proxy.port())) {
        new ConditionalPut(through).create(OBJECT, "mine".getBytes(UTF_8));
        assertThat(content()).isEqualTo("mine");
        assertThatThrownBy(
                () -> new ConditionalPut(through).create(OBJECT, "another's".getBytes(UTF_8)))
            .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(content()).isEqualTo("mine");
      }
    }
  }

  @Test
  void aLostAcknowledgementIsFoundByContentWhereMetadataIsDropped() throws IOException {
    direct.delete(OBJECT, false);
    FaultPlan lost =
        FaultPlan.of(1, Map.of(Fault.LOST_ACKNOWLEDGEMENT, 1.0), "commits/7").droppingMetadata();
    try (FaultProxy proxy = FaultProxy.before(server, lost);
        FileSystem through = fileSystem(proxy.port())) {
      new ConditionalPut(through).create(OBJECT, "mine".getBytes(UTF_8));

      assertThat(proxy.faults()).isPositive();
      assertThat(content()).isEqualTo("mine");
      assertThatThrownBy(() -> new ConditionalPut(through).create(OBJECT, "your".getBytes(UTF_8)))
          .isInstanceOf(FileAlreadyExistsException.class);
    }
  }

  @Test
  void aStoreThatNeverAnswersLeavesThePutUnconfirmed() throws IOException {
    direct.delete(OBJECT, false);
    FaultPlan deaf = FaultPlan.of(1, Map.of(Fault.LOST_REQUEST, 1.0), "commits/7");
    try (FaultProxy proxy = FaultProxy.before(server, deaf);
        FileSystem through = fileSystem(proxy.port())) {
      assertThatThrownBy(
              () ->
                  new ConditionalPut(through, Duration.ofMillis(200))
                      .create(OBJECT, "mine".getBytes(UTF_8)))
          .isInstanceOf(UnconfirmedPutException.class)
          .hasMessageStartingWith("Could not confirm that " + OBJECT + " was written");
      assertThat(direct.exists(OBJECT)).isFalse();
    }
  }
}
