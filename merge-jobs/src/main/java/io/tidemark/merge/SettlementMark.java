package io.tidemark.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.tables.CommitMessage;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the commit of a settlement, or of one's undoing, says of itself. The commit is the truth;
 * the ledger is a copy of it.
 *
 * @param settlement 1, 2, 3, …: settlements and undoings share one sequence
 * @param attempt the run that made the commit
 * @param archiveVersion the version of the archive that was recounted
 * @param frontier the frontier that was read; empty: none was published, and the close was forced
 * @param settledThrough windows that end at or before it are settled
 * @param closeReason why it went past the frontier
 * @param counts rows by kind, records and events by fate, as the ledger names them; those of an
 *     undoing are what it takes away, negative
 * @param undone what it undoes; empty: it is a settlement
 * @param audit the limits it broke, and why it was adopted all the same
 */
public record SettlementMark(
    long settlement,
    String attempt,
    long archiveVersion,
    Optional<Instant> frontier,
    Instant settledThrough,
    Optional<String> closeReason,
    Map<String, Long> counts,
    Optional<Undone> undone,
    AuditResult audit) {

  /**
   * What an undoing undoes.
   *
   * @param settlement the one that was in force
   * @param inForce the one below it, in force again; 0: none
   */
  public record Undone(long settlement, long inForce) {}

  /** {@link #settledThrough} where everything is undone: no window ends at or before it. */
  public static final Instant NOTHING_SETTLED = Instant.parse("0001-01-01T00:00:00Z");

  /** {@link #archiveVersion} where everything is undone. */
  public static final long NOTHING_RECOUNTED = -1;

  /** The application under which settlements commit to the aggregates. */
  public static final String APPLICATION = "settle";

  public SettlementMark {
    if (settlement < 1) {
      throw new IllegalArgumentException("settlement is below 1: " + settlement);
    }
    counts = Map.copyOf(counts);
  }

  /** The settlement whose values stand after this commit; 0: none. */
  public long inForce() {
    return undone.map(Undone::inForce).orElse(settlement);
  }

  /** Whether any settlement is in force after this commit. */
  public boolean settlesAnything() {
    return inForce() > 0;
  }

  /** The count of rows by which a rebuild's mark is told from a settlement's. */
  public static final String BUILT = "built";

  /** Whether a rebuild made it: nothing was there before, so it cannot be undone. */
  public boolean isBuilt() {
    return counts.containsKey(BUILT);
  }

  public long count(String name) {
    return counts.getOrDefault(name, 0L);
  }

  public String toJson() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("settlement", settlement);
    node.put("attempt", attempt);
    node.put("archive_version", archiveVersion);
    frontier.ifPresent(f -> node.put("frontier", f.toString()));
    node.put("settled_through", settledThrough.toString());
    closeReason.ifPresent(r -> node.put("close_reason", r));
    undone.ifPresent(
        what -> {
          node.put("undoes", what.settlement());
          node.put("in_force", what.inForce());
        });
    ObjectNode numbers = node.putObject("counts");
    new TreeMap<>(counts).forEach(numbers::put);
    audit.addTo(node);
    return node.toString();
  }

  /**
   * Reads {@link #toJson}.
   *
   * @throws io.tidemark.spec.error.UnsafeEnvironmentException if the text is no mark
   */
  public static SettlementMark parse(String json) {
    return CommitMessage.read("the settlement's commit", json, SettlementMark::of);
  }

  private static SettlementMark of(JsonNode node) {
    Map<String, Long> counts = new TreeMap<>();
    node.path("counts").properties().forEach(e -> counts.put(e.getKey(), e.getValue().asLong()));
    return new SettlementMark(
        node.required("settlement").asLong(),
        node.required("attempt").asText(),
        node.required("archive_version").asLong(),
        text(node, "frontier").map(Instant::parse),
        Instant.parse(node.required("settled_through").asText()),
        text(node, "close_reason"),
        counts,
        node.hasNonNull("undoes")
            ? Optional.of(
                new Undone(node.get("undoes").asLong(), node.required("in_force").asLong()))
            : Optional.empty(),
        AuditResult.of(node));
  }

  private static Optional<String> text(JsonNode node, String field) {
    return node.hasNonNull(field) ? Optional.of(node.get(field).asText()) : Optional.empty();
  }
}
