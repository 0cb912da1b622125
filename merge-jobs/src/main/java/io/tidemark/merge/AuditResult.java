package io.tidemark.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.spec.Percentage;
import io.tidemark.spec.SettleLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the audit of a settlement found.
 *
 * @param breaches the limits that it breaks
 * @param acceptedBecause why a person had it adopted all the same
 */
public record AuditResult(List<Breach> breaches, Optional<String> acceptedBecause) {

  /** No limit is broken, or there is none. */
  public static final AuditResult CLEAN = new AuditResult(List.of(), Optional.empty());

  private static final ObjectMapper JSON = new ObjectMapper();

  public AuditResult {
    breaches = List.copyOf(breaches);
    if (breaches.isEmpty() && acceptedBecause.isPresent()) {
      throw new IllegalArgumentException("there is no breach to accept");
    }
  }

  /** The breaches as a JSON array; empty where there is none. */
  public Optional<String> breachesAsJson() {
    return breaches.isEmpty() ? Optional.empty() : Optional.of(toArray().toString());
  }

  /** Whether a person's word is needed before it is adopted. */
  public boolean isHeldBy(SettleLimits limits) {
    return !breaches.isEmpty()
        && acceptedBecause.isEmpty()
        && limits.onBreach() == SettleLimits.OnBreach.HOLD;
  }

  void addTo(ObjectNode mark) {
    if (!breaches.isEmpty()) {
      mark.set("audit", toArray());
    }
    acceptedBecause.ifPresent(reason -> mark.put("accepted_breach", reason));
  }

  /**
   * Reads what {@link #addTo} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static AuditResult of(JsonNode mark) {
    List<Breach> breaches = new ArrayList<>();
    for (JsonNode node : mark.path("audit")) {
      breaches.add(
          new Breach(
              node.required("rule").asText(),
              Percentage.parse(node.required("limit").asText())
                  .orElseThrow(() -> new IllegalArgumentException("no percentage")),
              node.required("measured").asDouble(),
              node.required("evidence").asText()));
    }
    return new AuditResult(
        breaches, Optional.ofNullable(mark.get("accepted_breach")).map(JsonNode::asText));
  }

  private ArrayNode toArray() {
    ArrayNode array = JSON.createArrayNode();
    for (Breach breach : breaches) {
      array
          .addObject()
          .put("rule", breach.rule())
          .put("limit", breach.limit().toString())
          .put("measured", breach.measured())
          .put("evidence", breach.evidence());
    }
    return array;
  }
}
