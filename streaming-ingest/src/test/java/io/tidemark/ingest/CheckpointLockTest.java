package io.tidemark.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.error.ConflictException;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CheckpointLockTest {

  @TempDir Path directory;
  private String checkpoint;
  private String refusal;

  @BeforeEach
  void name() {
    checkpoint = directory.resolve("_checkpoints/g1").toString();
    refusal =
        "Cannot run on checkpoint "
            + checkpoint
            + ": another process runs on it and goes on unharmed. Stop that one first, or leave"
            + " the work to it.";
  }

  @Test
  void aSecondJobOfOneProcessIsRefused() {
    CheckpointLock first = acquire(checkpoint);

    assertThatThrownBy(() -> acquire(checkpoint))
        .isInstanceOf(ConflictException.class)
        .hasMessage(refusal);

    first.close();
  }

  @Test
  void aRefusalDoesNotFreeTheLockOfTheFirst() throws Exception {
    CheckpointLock first = acquire(checkpoint);
    assertThatThrownBy(() -> acquire(checkpoint)).isInstanceOf(ConflictException.class);

    Process other = hold();

    assertThat(firstLine(other)).isEqualTo(refusal);
    other.waitFor();
    first.close();
  }

  @Test
  void aClosedLockIsFree() throws Exception {
    acquire(checkpoint).close();
    assertThatCode(() -> acquire(checkpoint).close()).doesNotThrowAnyException();

    Process other = hold();

    assertThat(firstLine(other)).isEqualTo("held true");
    other.destroyForcibly().waitFor();
  }

  @Test
  void anotherProcessHoldsTheLockUntilItDies() throws Exception {
    Process other = hold();
    assertThat(firstLine(other)).isEqualTo("held true");

    assertThatThrownBy(() -> acquire(checkpoint))
        .isInstanceOf(ConflictException.class)
        .hasMessage(refusal);

    other.destroyForcibly().waitFor();
    assertThatCode(() -> acquire(checkpoint).close()).doesNotThrowAnyException();
  }

  @Test
  void checkpointsAreLockedOneByOne() {
    CheckpointLock ingest = acquire(directory.resolve("archive").toString());

    assertThatCode(() -> acquire(checkpoint).close()).doesNotThrowAnyException();

    ingest.close();
  }

  private static CheckpointLock acquire(String location) {
    return CheckpointLock.acquire(new Checkpoint(location, new Configuration(false)));
  }

  private Process hold() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            HoldLock.class.getName(),
            checkpoint)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static String firstLine(Process process) throws IOException {
    return process.inputReader(UTF_8).readLine();
  }
}
