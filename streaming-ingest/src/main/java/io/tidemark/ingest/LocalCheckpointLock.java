package io.tidemark.ingest;

import io.tidemark.spec.error.ConflictException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** On local files: the operating system's lock, which is freed when the process dies. */
final class LocalCheckpointLock implements CheckpointLock {

  /**
   * The locks of this process. The system gives up a process's lock on a file as soon as the
   * process closes any channel to it, so a file that is locked here must not even be opened again.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private LocalCheckpointLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Takes the lock at once or not at all.
   *
   * @param checkpoint a local path; the lock's file lies beside it
   * @throws ConflictException if another process, or another job of this one, holds it
   */
  static LocalCheckpointLock acquire(String checkpoint) {
    Path file = Path.of(checkpoint + ".lock").toAbsolutePath().normalize();
    if (!HELD.add(file)) {
      throw inUse(checkpoint);
    }
    boolean locked = false;
    try {
      Files.createDirectories(file.getParent());
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        channel.close();
        throw inUse(checkpoint);
      }
      locked = true;
      return new LocalCheckpointLock(file, channel);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot lock " + file, e);
    } finally {
      if (!locked) {
        HELD.remove(file);
      }
    }
  }

  private static ConflictException inUse(String checkpoint) {
    return new ConflictException(
        "Cannot run on checkpoint "
            + checkpoint
            + ": another process runs on it and goes on unharmed. Stop that one first, or leave"
            + " the work to it.");
  }

  /** The system does not take it away. */
  @Override
  public void requireHeld() {}

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot release a checkpoint's lock", e);
    } finally {
      HELD.remove(file);
    }
  }
}
