package io.tidemark.spec;

import java.time.Duration;
import java.util.Optional;

/**
 * Limits that {@code status} checks.
 *
 * @param maxLag how long an archived record may wait for the aggregate stream
 * @param maxSilence how long the stream may not move at all
 * @param maxLeftOutShare of the events that the last settlement counted, those that the stream had
 *     left out; at most 100%
 */
public record Health(
    Optional<Duration> maxLag,
    Optional<Duration> maxSilence,
    Optional<Percentage> maxLeftOutShare) {

  /** Nothing is checked. */
  public static final Health UNLIMITED =
      new Health(Optional.empty(), Optional.empty(), Optional.empty());
}
