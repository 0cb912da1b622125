package io.tidemark.ingest;

import io.tidemark.spec.error.ConflictException;
import io.tidemark.store.Lease;
import io.tidemark.store.LeaseHeldException;
import io.tidemark.store.LeaseHolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import org.apache.hadoop.fs.Path;

/** On S3: a lease in a folder beside the checkpoint, which expires when the process dies. */
record LeasedCheckpoint(String checkpoint, Lease lease) implements CheckpointLock {

  static LeasedCheckpoint acquire(Checkpoint checkpoint) {
    Path folder = new Path(checkpoint.location() + ".lease");
    try {
      return new LeasedCheckpoint(
          checkpoint.location(),
          Lease.acquire(folder, checkpoint.hadoop(), Lease.Timing.USUAL, Clock.systemUTC()));
    } catch (LeaseHeldException e) {
      LeaseHolder holder = e.holder();
      throw new ConflictException(
          "Cannot run on checkpoint %s: process %s runs on it since %s and goes on unharmed. Stop that one first, or leave the work to it. If it was killed, its lease ends within %d s of its end."
              .formatted(
                  checkpoint.location(),
                  holder.process(),
                  holder.since(),
                  Lease.Timing.USUAL.expiry().toSeconds()),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot take the lease " + folder, e);
    }
  }

  @Override
  public void requireHeld() {
    if (!lease.isHeld()) {
      throw new ConflictException(
          "Stopped on checkpoint "
              + checkpoint
              + ": its lease could not be renewed in time, so another process may run on it now. The"
              + " store was out of reach, or this process stood still. Start again.");
    }
  }

  @Override
  public void close() {
    lease.close();
  }
}
