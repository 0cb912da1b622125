package io.tidemark.reconcile.generation;

import io.tidemark.spec.Percentage;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * What is compared.
 *
 * @param from windows that start at or after it; empty: from the first that both have
 * @param through windows that end at or before it; empty: those that are settled in both
 * @param expected measures that the change is about: rows that differ in nothing else are as
 *     expected
 * @param tolerance the share of rows that may differ beyond that
 * @param most how many differing rows to show
 */
public record CompareRequest(
    Optional<Instant> from,
    Optional<Instant> through,
    Set<String> expected,
    Percentage tolerance,
    int most) {

  public CompareRequest {
    expected = Set.copyOf(expected);
  }
}
