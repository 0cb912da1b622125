package io.tidemark.spec;

import java.time.Duration;
import java.util.Optional;

/**
 * Limits that {@code status} checks.
 *
 * @param maxLag how long an archived record may wait for the aggregate stream
 */
public record Health(Optional<Duration> maxLag) {}
