package io.tidemark.reconcile;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.error.NearestName;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.time.SpecDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The row to explain.
 *
 * @param key a value for each of the pipeline's key columns, as text; empty: null
 * @param most how many records to list
 */
public record ExplainRequest(Instant windowStart, Map<String, Optional<String>> key, int most) {

  public ExplainRequest {
    key = Collections.unmodifiableMap(new LinkedHashMap<>(key));
    if (most < 0) {
      throw new IllegalArgumentException("most is negative: " + most);
    }
  }

  /**
   * Checks that it names a row that can be.
   *
   * @throws SpecException if there is no such window, or the keys are not those of the pipeline
   */
  void requireRowOf(PipelineSpec spec) {
    requireWindowStart(spec);
    List<String> names = AggregateColumns.keys(spec).stream().map(ColumnName::value).toList();
    for (String name : key.keySet()) {
      if (!names.contains(name)) {
        throw new SpecException(
            names.isEmpty()
                ? "Cannot explain key %s: pipeline %s has no keys. Leave --key away."
                    .formatted(name, spec.name())
                : "Cannot explain key %s: pipeline %s has no such key. %s"
                    .formatted(name, spec.name(), NearestName.remedy(name, "Its keys are", names)));
      }
    }
    List<String> missing = names.stream().filter(name -> !key.containsKey(name)).toList();
    if (!missing.isEmpty()) {
      String name = missing.get(0);
      throw new SpecException(
          "A row of pipeline %s has a value for each of its keys; not given: %s. Give --key %s=VALUE (--key %s= is the empty text), or --key-null %s."
              .formatted(spec.name(), String.join(", ", missing), name, name, name));
    }
  }

  /** The value of a key column as text; empty: null. */
  Optional<String> value(ColumnName name) {
    return key.getOrDefault(name.value(), Optional.empty());
  }

  private void requireWindowStart(PipelineSpec spec) {
    Duration slide = spec.window().slide();
    Instant next = spec.window().firstStartOfEndAfter(windowStart.plus(spec.window().size()));
    Instant before = next.minus(slide);
    if (!before.equals(windowStart)) {
      throw new SpecException(
          "No window of pipeline %s starts at %s: one starts every %s, at %s and %s. Give one of them as --window."
              .formatted(spec.name(), windowStart, SpecDuration.format(slide), before, next));
    }
  }
}
