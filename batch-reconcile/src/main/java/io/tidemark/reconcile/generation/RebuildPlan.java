package io.tidemark.reconcile.generation;

import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.ServedGeneration;
import java.util.List;
import java.util.Optional;

/**
 * What a rebuild does.
 *
 * @param candidate the generation that it builds, with where its two parts meet
 * @param goesOn whether another run has begun it
 * @param steps of the batch part that are left
 * @param rewind of its stream; empty: there is no batch part, or another run has found it
 * @param kept windows that it freezes are in no new generation: the archive has lost their events,
 *     or a later start was asked for
 * @param need of room
 */
public record RebuildPlan(
    ServedGeneration candidate,
    boolean goesOn,
    List<RebuildStep> steps,
    Optional<Rewind> rewind,
    KeptArchive kept,
    DiskSpace.Need need) {

  public RebuildPlan {
    steps = List.copyOf(steps);
  }

  /** Bytes of the archive that the steps read, about. */
  public long bytesToRead() {
    return steps.stream().mapToLong(RebuildStep::bytes).sum();
  }
}
