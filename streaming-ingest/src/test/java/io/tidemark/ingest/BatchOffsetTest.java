package io.tidemark.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With the offset files of two batches of a stream from Delta, as Spark 4.1.1 wrote them. */
class BatchOffsetTest {

  private static String file(String name) {
    try (InputStream in = BatchOffsetTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void anOffsetNamesTheWatermarkAndTheEndOfWhatIsRead() {
    BatchOffset offset = BatchOffset.parse(file("offsets-5.txt"));

    assertThat(offset.watermark()).contains(Instant.parse("2013-01-01T14:02:00Z"));
    assertThat(offset.source())
        .isEqualTo(
            "{\"sourceVersion\":1,\"reservoirId\":\"b0b8652d-43e3-4c53-bd69-30236e3578db\","
                + "\"reservoirVersion\":4,\"index\":-1,\"isStartingVersion\":false}");
  }

  @Test
  void beforeAnyEventThereIsNoWatermark() {
    assertThat(BatchOffset.parse(file("offsets-0.txt")).watermark()).isEqualTo(Optional.empty());
  }

  @Test
  void anOffsetNamesTheSettingsThatTheCheckpointKeeps() {
    assertThat(BatchOffset.parse(file("offsets-5.txt")).settings())
        .containsEntry("spark.sql.shuffle.partitions", "1")
        .containsEntry(
            "spark.sql.streaming.stateStore.providerClass",
            "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "v1",
        "v2\n{\"batchWatermarkMs\":0,\"conf\":{}}\n{\"reservoirVersion\":1}",
        "v1\n{\"batchWatermarkMs\":0,\"conf\":{}}",
        "v1\n{\"batchWatermarkMs\":0,\"conf\":{}}\n{\"reservoirVersion\":1}\n{\"logOffset\":1}",
        "v1\nno json\n{\"reservoirVersion\":1}",
        "v1\n\n{\"reservoirVersion\":1}",
        "v1\n{\"conf\":{}}\n{\"reservoirVersion\":1}",
      })
  void whatSparkDoesNotWriteForOneSourceIsRefused(String text) {
    assertThatThrownBy(() -> BatchOffset.parse(text))
        .isInstanceOf(UnsafeEnvironmentException.class)
        .hasMessage(
            "Cannot read a checkpoint's offsets: expected the line v1, a line of metadata and one"
                + " of a source, as Spark 4.1 writes them, but found '"
                + text
                + "'. Run with the Spark version that wrote the checkpoint.");
  }
}
