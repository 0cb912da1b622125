package io.tidemark.tables.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.tables.CommitMessage;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A step, and when it was published by the wall clock. The commit that writes the step carries it
 * as JSON too, so that the newest one is found without reading the table.
 */
public record PublishedStep(ProgressStep step, Instant publishedAt) {

  String toJson() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
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
   * @throws io.tidemark.spec.error.UnsafeEnvironmentException if the text is no step
   */
  static PublishedStep parse(String json) {
    return CommitMessage.read("the step of progress", json, PublishedStep::of);
  }

  private static PublishedStep of(JsonNode node) {
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
  }

  private static Optional<Instant> instant(JsonNode node, String field) {
    return node.hasNonNull(field)
        ? Optional.of(Instant.parse(node.get(field).asText()))
        : Optional.empty();
  }
}
