package io.tidemark.ingest;

import io.tidemark.spec.error.ConflictException;
import io.tidemark.store.StoreRule;

/**
 * The right to run on a checkpoint, held by one process at a time. Spark itself would let a second
 * process live and end the first.
 */
public sealed interface CheckpointLock extends AutoCloseable
    permits LocalCheckpointLock, LeasedCheckpoint {

  /**
   * Takes the lock, or learns that another has it: at once on local files; on S3 within seconds, or
   * half a minute after its holder was killed.
   *
   * @throws ConflictException if another process, or another job of this one, holds it
   */
  static CheckpointLock acquire(Checkpoint checkpoint) {
    return StoreRule.appliesTo(checkpoint.location())
        ? LeasedCheckpoint.acquire(checkpoint)
        : LocalCheckpointLock.acquire(checkpoint.location());
  }

  /**
   * Looks whether it is held still.
   *
   * @throws ConflictException if another process may have it: stop what it is for
   */
  void requireHeld();

  @Override
  void close();
}
