package io.tidemark.tables.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.CommitMessage;
import io.tidemark.tables.Generation;
import io.tidemark.tables.TableDefinition;
import java.time.Instant;

/**
 * One build of a pipeline's tables. The commit that makes it live carries it as JSON too, so that
 * it is found without reading the table.
 *
 * @param archiveFingerprint of how the archive is read
 * @param fingerprint of all that changes the build's numbers
 * @param definition the canonical text under the fingerprint
 * @param promotedAt when it became live
 */
public record GenerationRow(
    Generation generation,
    String archiveFingerprint,
    String fingerprint,
    String definition,
    Instant promotedAt) {

  String toJson() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("format_version", TableDefinition.FORMAT_VERSION)
        .put("generation", generation.name())
        .put("archive_fingerprint", archiveFingerprint)
        .put("fingerprint", fingerprint)
        .put("definition", definition)
        .put("promoted_at", promotedAt.toString())
        .toString();
  }

  /**
   * Reads {@link #toJson}.
   *
   * @throws UnsafeEnvironmentException if the tables are of another format, or the text is none
   */
  static GenerationRow parse(String json) {
    return CommitMessage.read("the generation", json, GenerationRow::of);
  }

  private static GenerationRow of(JsonNode node) {
    int formatVersion = node.path("format_version").asInt(0);
    if (formatVersion != TableDefinition.FORMAT_VERSION) {
      throw new UnsafeEnvironmentException(
          "The tables are of format "
              + formatVersion
              + "; this release reads and writes format "
              + TableDefinition.FORMAT_VERSION
              + ". Use the release that made them, or ingest again into a new warehouse path.");
    }
    return new GenerationRow(
        Generation.parse(node.required("generation").asText()),
        node.required("archive_fingerprint").asText(),
        node.required("fingerprint").asText(),
        node.required("definition").asText(),
        Instant.parse(node.required("promoted_at").asText()));
  }
}
