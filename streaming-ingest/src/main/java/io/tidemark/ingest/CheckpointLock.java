package io.tidemark.ingest;

import io.tidemark.spec.error.ConflictException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The right to run on a checkpoint, held by one process at a time. Spark itself would let a second
 * process live and end the first. The lock is the operating system's: it is freed when the process
 * dies, however it dies.
 */
public final class CheckpointLock implements AutoCloseable {

  private final FileChannel channel;

  private CheckpointLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock at once or not at all.
   *
   * @param checkpoint a local path; the lock's file lies beside it
   * @throws ConflictException if another process, or another job of this one, holds it
   */
  public static CheckpointLock acquire(String checkpoint) {
    Path file = Path.of(checkpoint + ".lock");
    try {
      Files.createDirectories(file.getParent());
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock(channel) == null) {
        channel.close();
        throw new ConflictException(
            "Cannot run on checkpoint "
                + checkpoint
                + ": another process runs on it and goes on unharmed. Stop that one first, or leave"
                + " the work to it.");
      }
      return new CheckpointLock(channel);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot lock " + file, e);
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot release a checkpoint's lock", e);
    }
  }
}
