package io.tidemark.tables.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.CommitMessage;
import io.tidemark.tables.TableDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A change of a pipeline's generations. Its commit carries it as JSON, so that it is read without
 * reading the table.
 *
 * @param serial 1, 2, 3, …
 * @param run the run that made it
 * @param what in words, e.g. {@code promote g2}
 * @param at when, by the wall clock
 * @param generations after it
 */
public record GenerationChange(
    long serial, String run, String what, Instant at, Generations generations) {

  String toJson() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("format_version", TableDefinition.FORMAT_VERSION)
        .put("serial", serial)
        .put("run", run)
        .put("what", what)
        .put("at", at.toString());
    ArrayNode rows = node.putArray("generations");
    generations.rows().forEach(row -> rows.add(row.toJson()));
    return node.toString();
  }

  /**
   * Reads {@link #toJson}.
   *
   * @throws UnsafeEnvironmentException if the tables are of another format, or the text is none
   */
  static GenerationChange parse(String json) {
    return CommitMessage.read("the generations", json, GenerationChange::of);
  }

  private static GenerationChange of(JsonNode node) {
    int formatVersion = node.path("format_version").asInt(0);
    if (formatVersion != TableDefinition.FORMAT_VERSION) {
      throw new UnsafeEnvironmentException(
          "The tables are of format "
              + formatVersion
              + "; this release reads and writes format "
              + TableDefinition.FORMAT_VERSION
              + ". Use the release that made them, or ingest again into a new warehouse path.");
    }
    List<GenerationRow> rows = new ArrayList<>();
    node.required("generations").forEach(row -> rows.add(GenerationRow.of(row)));
    return new GenerationChange(
        node.required("serial").asLong(),
        node.required("run").asText(),
        node.required("what").asText(),
        Instant.parse(node.required("at").asText()),
        new Generations(rows));
  }
}
