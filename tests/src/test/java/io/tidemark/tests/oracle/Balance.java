package io.tidemark.tests.oracle;

import java.util.Map;

/**
 * Where every record went: {@code archived = rejected + filtered + considered} and {@code
 * memberships = counted + duplicates}.
 *
 * @param rejected by problem; a problem that no record has is absent
 */
public record Balance(
    long archived,
    Map<Problem, Long> rejected,
    long filtered,
    long considered,
    long memberships,
    long counted) {

  public Balance {
    rejected = Map.copyOf(rejected);
    long accounted = rejected.values().stream().mapToLong(Long::longValue).sum();
    accounted += filtered + considered;
    if (archived != accounted) {
      throw new IllegalArgumentException(archived + " archived, but " + accounted + " accounted");
    }
  }

  public long duplicates() {
    return memberships - counted;
  }
}
