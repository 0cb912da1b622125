package io.tidemark.tables.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.tables.Generation;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One build of a pipeline's tables.
 *
 * @param definition what it was built from
 * @param start where its batch part ends and its stream begins
 * @param createdAt when its first table was made
 * @param promotedAt when it last became live; empty: never
 * @param replacedAt when it last ceased to be live; empty: never
 * @param comparison the newest with the live one
 * @param canary the share of users, in percent, to whom the candidate is served; 0: nobody
 */
public record GenerationRow(
    Generation generation,
    GenerationState state,
    Definition definition,
    BuildStart start,
    Instant createdAt,
    Optional<Instant> promotedAt,
    Optional<Instant> replacedAt,
    Optional<ComparisonNote> comparison,
    int canary) {

  /**
   * What a generation was built from.
   *
   * @param archiveFingerprint of how the archive is read
   * @param fingerprint of all that changes the build's numbers
   * @param canonicalText under the fingerprint
   * @param file the pipeline file's text, by which the generation is fed and settled while the file
   *     says something else
   */
  public record Definition(
      String archiveFingerprint, String fingerprint, String canonicalText, String file) {}

  /** A pipeline's first: live from the start, all of it streamed. */
  public static GenerationRow first(Definition definition, Instant now) {
    return new GenerationRow(
        Generation.FIRST,
        GenerationState.LIVE,
        definition,
        BuildStart.ALL_STREAMED,
        now,
        Optional.of(now),
        Optional.empty(),
        Optional.empty(),
        0);
  }

  /** One that is about to be built. */
  public static GenerationRow building(
      Generation generation, Definition definition, BuildStart start, Instant now) {
    return new GenerationRow(
        generation,
        GenerationState.BUILDING,
        definition,
        start,
        now,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0);
  }

  GenerationRow in(GenerationState other) {
    return with(other, promotedAt, replacedAt, comparison, 0);
  }

  GenerationRow madeLive(Instant now) {
    return with(GenerationState.LIVE, Optional.of(now), replacedAt, Optional.empty(), 0);
  }

  GenerationRow replaced(Instant now) {
    return with(GenerationState.KEPT, promotedAt, Optional.of(now), Optional.empty(), 0);
  }

  GenerationRow served(int percent) {
    return with(state, promotedAt, replacedAt, comparison, percent);
  }

  GenerationRow compared(ComparisonNote note) {
    return with(state, promotedAt, replacedAt, Optional.of(note), canary);
  }

  private GenerationRow with(
      GenerationState otherState,
      Optional<Instant> lastPromoted,
      Optional<Instant> lastReplaced,
      Optional<ComparisonNote> newest,
      int percent) {
    return new GenerationRow(
        generation,
        otherState,
        definition,
        start,
        createdAt,
        lastPromoted,
        lastReplaced,
        newest,
        percent);
  }

  ObjectNode toJson() {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("generation", generation.name())
            .put("state", state.label())
            .put("archive_fingerprint", definition.archiveFingerprint())
            .put("fingerprint", definition.fingerprint())
            .put("definition", definition.canonicalText())
            .put("file", definition.file())
            .put("first_version", start.firstVersion())
            .put("created_at", createdAt.toString())
            .put("canary", canary);
    start.boundary().ifPresent(time -> node.put("boundary", time.toString()));
    start.from().ifPresent(day -> node.put("built_from", day.toString()));
    start.archiveVersion().ifPresent(version -> node.put("archive_version", version));
    promotedAt.ifPresent(time -> node.put("promoted_at", time.toString()));
    replacedAt.ifPresent(time -> node.put("replaced_at", time.toString()));
    comparison.ifPresent(
        note ->
            node.putObject("comparison")
                .put("run", note.run())
                .put("live", note.live().name())
                .put("rows", note.rows())
                .put("differing", note.differing())
                .put("within", note.within())
                .put("compared_at", note.comparedAt().toString()));
    return node;
  }

  /**
   * Reads {@link #toJson}.
   *
   * @throws IllegalArgumentException if it is none
   */
  static GenerationRow of(JsonNode node) {
    return new GenerationRow(
        Generation.parse(node.required("generation").asText()),
        GenerationState.parse(node.required("state").asText()),
        new Definition(
            node.required("archive_fingerprint").asText(),
            node.required("fingerprint").asText(),
            node.required("definition").asText(),
            node.required("file").asText()),
        new BuildStart(
            instant(node, "boundary"),
            node.hasNonNull("built_from")
                ? Optional.of(LocalDate.parse(node.get("built_from").asText()))
                : Optional.empty(),
            node.hasNonNull("archive_version")
                ? OptionalLong.of(node.get("archive_version").asLong())
                : OptionalLong.empty(),
            node.required("first_version").asLong()),
        Instant.parse(node.required("created_at").asText()),
        instant(node, "promoted_at"),
        instant(node, "replaced_at"),
        node.hasNonNull("comparison")
            ? Optional.of(comparison(node.get("comparison")))
            : Optional.empty(),
        node.required("canary").asInt());
  }

  private static ComparisonNote comparison(JsonNode node) {
    return new ComparisonNote(
        node.required("run").asText(),
        Generation.parse(node.required("live").asText()),
        node.required("rows").asLong(),
        node.required("differing").asLong(),
        node.required("within").asBoolean(),
        Instant.parse(node.required("compared_at").asText()));
  }

  private static Optional<Instant> instant(JsonNode node, String field) {
    return node.hasNonNull(field)
        ? Optional.of(Instant.parse(node.get(field).asText()))
        : Optional.empty();
  }
}
