package io.tidemark.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Creates objects on S3 that must not exist yet: of any number of processes that create one name,
 * exactly one is told that it did.
 *
 * <p>Each put carries {@code If-None-Match: *}, which makes the store refuse it where the name
 * exists, and an id of its own in the object's metadata. The answer alone does not say who won: the
 * acknowledgement of a put that was applied may be lost, and the SDK's own repetition is then
 * refused because of the first. So after every failure the object itself is asked. Mine: success.
 * Another's: {@link FileAlreadyExistsException}. Nobody's: the same put again, which is safe
 * however often, for the first that arrives makes the others fail.
 *
 * <p>Take a put of version 7 that was applied and whose answer was lost. The SDK sends it again and
 * gets 412. The object carries our id: the put has succeeded. Without the question the caller would
 * take version 7 for another's and write its commit a second time as version 8.
 *
 * <p>A store that drops metadata is asked for the content instead; then two writers of the same
 * bytes are both told that they won.
 *
 * <p><b>Cost.</b> One request; after a failure one more to ask. Holds the content in memory. Safe
 * for any number of threads.
 *
 * @param patience how long a put is repeated for; a request that is under way is not broken off
 */
public record ConditionalPut(FileSystem fileSystem, Duration patience) {

  /** Of Hadoop: fail where the file exists, decided by the store when the content arrives. */
  static final String CONDITION = "fs.option.create.conditional.overwrite";

  /** Longer than a store is away as a rule, shorter than an operator waits. */
  private static final Duration USUAL_PATIENCE = Duration.ofSeconds(60);

  private static final String ID = "tidemark-put-id";
  private static final String ID_HEADER = "fs.s3a.create.header." + ID;
  private static final String ID_ATTRIBUTE = "header." + ID;

  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 2000;

  public ConditionalPut(FileSystem fileSystem) {
    this(fileSystem, USUAL_PATIENCE);
  }

  private enum Owner {
    ME,
    ANOTHER,
    NOBODY
  }

  /**
   * Creates an object, wholly or not at all.
   *
   * @throws FileAlreadyExistsException if another writer has created it
   * @throws UnconfirmedPutException if the store did not say what became of it, for all patience or
   *     until the thread was interrupted (whose flag stays set)
   * @throws AccessDeniedException if the store does not let us, at once
   * @throws FileNotFoundException if there is no such bucket, at once
   */
  public void create(Path path, byte[] content) throws IOException {
    String id = UUID.randomUUID().toString();
    long end = System.nanoTime() + patience.toNanos();
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      try {
        put(path, content, id);
        return;
      } catch (IOException e) {
        boolean interrupted = Thread.interrupted() || isInterruption(e);
        try {
          switch (owner(path, content, id, e)) {
            case ME -> {
              return;
            }
            case ANOTHER -> throw exists(path, e);
            case NOBODY -> {
              if (e instanceof AccessDeniedException || e instanceof FileNotFoundException) {
                throw e;
              }
            }
          }
        } finally {
          if (interrupted) {
            Thread.currentThread().interrupt();
          }
        }
        if (interrupted || System.nanoTime() >= end || !slept(pause)) {
          throw new UnconfirmedPutException(path, e);
        }
        pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2);
      }
    }
  }

  /** Creates an object or replaces it, in one step; the last writer wins. */
  public void replace(Path path, byte[] content) throws IOException {
    FSDataOutputStreamBuilder<?, ?> builder = fileSystem.createFile(path);
    builder.create().overwrite(true);
    write(builder, content);
  }

  /** One request, whatever it answers. */
  void put(Path path, byte[] content, String id) throws IOException {
    FSDataOutputStreamBuilder<?, ?> builder = fileSystem.createFile(path);
    builder.create().overwrite(false);
    builder.must(CONDITION, true);
    builder.opt(ID_HEADER, id);
    write(builder, content);
  }

  private static void write(FSDataOutputStreamBuilder<?, ?> builder, byte[] content)
      throws IOException {
    // Not in a try-with-resources: closing after a failure would publish a part.
    FSDataOutputStream out = builder.build();
    boolean whole = false;
    try {
      out.write(content);
      whole = true;
    } finally {
      if (!whole) {
        out.abort();
      }
    }
    out.close();
  }

  /** Whether the object is the one that was put with this id. */
  boolean isMine(Path path, byte[] content, String id) throws IOException {
    return owner(path, content, id) == Owner.ME;
  }

  /** Nobody's where the store can't be asked: the put may be repeated then, too. */
  private Owner owner(Path path, byte[] content, String id, IOException failure) {
    try {
      return owner(path, content, id);
    } catch (IOException e) {
      failure.addSuppressed(e);
      return Owner.NOBODY;
    }
  }

  private Owner owner(Path path, byte[] content, String id) throws IOException {
    try {
      byte[] there = fileSystem.getXAttrs(path).get(ID_ATTRIBUTE);
      boolean hasId = there != null && there.length > 0;
      boolean mine =
          hasId ? id.equals(new String(there, StandardCharsets.UTF_8)) : hasContent(path, content);
      return mine ? Owner.ME : Owner.ANOTHER;
    } catch (FileNotFoundException e) {
      return Owner.NOBODY;
    }
  }

  private boolean hasContent(Path path, byte[] content) throws IOException {
    if (fileSystem.getFileStatus(path).getLen() != content.length) {
      return false;
    }
    byte[] there = new byte[content.length];
    try (FSDataInputStream in = fileSystem.open(path)) {
      in.readFully(0, there);
    }
    return Arrays.equals(there, content);
  }

  private static FileAlreadyExistsException exists(Path path, IOException cause) {
    FileAlreadyExistsException exists =
        new FileAlreadyExistsException(path.toString(), null, "another writer has created it");
    exists.initCause(cause);
    return exists;
  }

  private static boolean isInterruption(IOException e) {
    return e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
  }

  /** False: the thread was interrupted meanwhile. */
  private static boolean slept(long millis) {
    try {
      Thread.sleep(millis + ThreadLocalRandom.current().nextLong(millis));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
