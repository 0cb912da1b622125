package io.tidemark.tables.journal;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One step of the stream.
 *
 * @param epoch counts the stream's checkpoints, from 1; {@link #BUILD}
 * @param checkpoint the id of the streaming query that the checkpoint holds
 * @param batch the micro-batch; {@link #OPENING} in the step that opens an epoch
 * @param frontier no window that ends at or before it changes any more
 * @param archiveVersion the version of the archive through which the stream has counted
 * @param settledThrough the settled boundary that the batch's merge respected
 */
public record ProgressStep(
    long epoch,
    String checkpoint,
    long batch,
    Optional<Instant> frontier,
    OptionalLong archiveVersion,
    Optional<Instant> settledThrough) {

  /** The batch of the step that opens an epoch: it comes before all batches. */
  public static final long OPENING = -1;

  /** The epoch of a generation's batch part: it comes before all of its streams. */
  public static final long BUILD = 0;

  /** {@link #readThrough} where no version of the archive has been counted. */
  public static final long NOTHING_READ = -1;

  /** The version of the archive through which the stream has counted. */
  public long readThrough() {
    return archiveVersion.orElse(NOTHING_READ);
  }

  /**
   * Opens an epoch.
   *
   * @param firstVersion the version of the archive that its stream starts with
   */
  public static ProgressStep opening(long epoch, String checkpoint, long firstVersion) {
    return new ProgressStep(
        epoch,
        checkpoint,
        OPENING,
        Optional.empty(),
        firstVersion == 0 ? OptionalLong.empty() : OptionalLong.of(firstVersion - 1),
        Optional.empty());
  }

  /** A batch has counted all windows that end at or before the boundary. */
  public static ProgressStep built(Instant boundary, long archiveVersion) {
    return new ProgressStep(
        BUILD,
        "build",
        0,
        Optional.of(boundary),
        OptionalLong.of(archiveVersion),
        Optional.of(boundary));
  }

  /** Whether a stream made it, not a rebuild's batch. */
  public boolean isOfStream() {
    return epoch != BUILD;
  }

  /** Whether this step says anything that the one before did not. */
  public boolean movesOn(ProgressStep before) {
    return epoch != before.epoch
        || !frontier.equals(before.frontier)
        || !archiveVersion.equals(before.archiveVersion);
  }
}
