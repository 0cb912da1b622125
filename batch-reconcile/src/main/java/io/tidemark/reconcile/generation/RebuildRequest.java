package io.tidemark.reconcile.generation;

import java.time.Duration;
import java.time.LocalDate;
import java.util.Optional;

/**
 * How a generation is to be built.
 *
 * @param replay through the streaming code alone, from the archive's first version on
 * @param rewind how far back its stream reaches from the latest archived event; empty: computed
 * @param from the event day (UTC) to begin with; empty: the archive's first
 * @param again also where the pipeline file means what the live generation was built from
 */
public record RebuildRequest(
    boolean replay, Optional<Duration> rewind, Optional<LocalDate> from, boolean again) {

  public static final RebuildRequest COMPUTED =
      new RebuildRequest(false, Optional.empty(), Optional.empty(), false);
}
