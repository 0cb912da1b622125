package io.tidemark.tests.oracle;

import java.time.Duration;

/**
 * How far an event time may lie from the arrival; exactly that far is fine.
 *
 * @param maxFutureSkew after it
 * @param maxAge before it
 */
public record Limits(Duration maxFutureSkew, Duration maxAge) {}
