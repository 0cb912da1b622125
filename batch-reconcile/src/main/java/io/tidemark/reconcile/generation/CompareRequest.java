package io.tidemark.reconcile.generation;

import io.tidemark.spec.Percentage;
import java.time.Instant;
import java.util.Optional;

/**
 * What is compared.
 *
 * @param from windows that start at or after it; empty: from the first that both have
 * @param through windows that end at or before it; empty: those that are settled in both
 * @param tolerance the share of rows that may differ
 * @param most how many differing rows to show
 */
public record CompareRequest(
    Optional<Instant> from, Optional<Instant> through, Percentage tolerance, int most) {}
