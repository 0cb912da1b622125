package io.tidemark.ingest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a checkpoint's {@code offsets/N} says of micro-batch N.
 *
 * @param watermark by which batch N evicts state and batch N + 1 tests lateness; empty before any
 *     event
 * @param settings the Spark settings that the checkpoint was begun with and keeps
 * @param source the end of what the batch reads of its one source
 */
record BatchOffset(Optional<Instant> watermark, Map<String, String> settings, String source) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String VERSION = "v1";

  /**
   * Reads the text of an offset file: a version, the batch's metadata, a line for each source.
   *
   * @throws UnsafeEnvironmentException if it is none that Spark 4.1 writes for one source
   */
  static BatchOffset parse(String text) {
    List<String> lines = text.lines().toList();
    if (lines.size() != 3 || !lines.get(0).equals(VERSION)) {
      throw unreadable(text, null);
    }
    try {
      JsonNode metadata = JSON.readTree(lines.get(1));
      long millis = metadata.required("batchWatermarkMs").asLong();
      Map<String, String> settings = new TreeMap<>();
      metadata
          .path("conf")
          .properties()
          .forEach(entry -> settings.put(entry.getKey(), entry.getValue().asText()));
      return new BatchOffset(
          millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis)),
          settings,
          lines.get(2));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw unreadable(text, e);
    }
  }

  private static UnsafeEnvironmentException unreadable(String text, @Nullable Exception cause) {
    return new UnsafeEnvironmentException(
        "Cannot read a checkpoint's offsets: expected the line v1, a line of metadata and one of a"
            + " source, as Spark 4.1 writes them, but found '"
            + text
            + "'. Run with the Spark version that wrote the checkpoint.",
        cause);
  }
}
