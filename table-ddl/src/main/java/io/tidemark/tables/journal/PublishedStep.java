package io.tidemark.tables.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A step, and when it was published by the wall clock. The commit that writes the step carries it
 * as JSON too, so that the newest one is found without reading the table.
 */
public record PublishedStep(ProgressStep step, Instant publishedAt) {

  private static final ObjectMapper JSON = new ObjectMapper();

  String toJson() {
    ObjectNode node = JSON.createObjectNode();
    node.put("epoch", step.epoch());
    node.put("checkpoint", step.checkpoint());
    node.put("batch", step.batch());
    step.frontier().ifPresent(frontier -> node.put("frontier", frontier.toString()));
    step.archiveVersion().ifPresent(version -> node.put("archive_version", version));
    step.settledThrough().ifPresent(end -> node.put("settled_through", end.toString()));
    node.put("published_at", publishedAt.toString());
    return node.toString();
  }

  /**
   * Reads {@link #toJson}.
   *
   * @throws UnsafeEnvironmentException if the text is no step
   */
  static PublishedStep parse(String json) {
    try {
      JsonNode node = JSON.readTree(json);
      return new PublishedStep(
          new ProgressStep(
              node.required("epoch").asLong(),
              node.required("checkpoint").asText(),
              node.required("batch").asLong(),
              instant(node, "frontier"),
              node.hasNonNull("archive_version")
                  ? OptionalLong.of(node.get("archive_version").asLong())
                  : OptionalLong.empty(),
              instant(node, "settled_through")),
          Instant.parse(node.required("published_at").asText()));
    } catch (JsonProcessingException | IllegalArgumentException | DateTimeException e) {
      throw new UnsafeEnvironmentException(
          "Cannot read the step of progress '"
              + json
              + "': it is not as this release writes it. Was the table written by another tool?",
          e);
    }
  }

  private static Optional<Instant> instant(JsonNode node, String field) {
    return node.hasNonNull(field)
        ? Optional.of(Instant.parse(node.get(field).asText()))
        : Optional.empty();
  }
}
