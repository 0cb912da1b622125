package io.tidemark.delta;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.LabelledCommit;
import java.util.Optional;

/** A label as the user metadata of a commit. */
record LabelJson(CommitLabel label) {

  private static final ObjectMapper JSON = new ObjectMapper();

  String text() {
    ObjectNode node = JSON.createObjectNode();
    node.put("application", label.application());
    node.put("version", label.version());
    node.put("message", label.message());
    return node.toString();
  }

  /** Reads the metadata of a commit; empty where another application, or another tool, made it. */
  static Optional<LabelledCommit> read(String userMetadata, String application, long tableVersion) {
    try {
      JsonNode node = JSON.readTree(userMetadata);
      return node != null && node.path("application").asText().equals(application)
          ? Optional.of(
              new LabelledCommit(
                  tableVersion, node.path("version").asLong(), node.path("message").asText()))
          : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
