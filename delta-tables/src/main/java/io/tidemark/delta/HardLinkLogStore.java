package io.tidemark.delta;

import io.delta.storage.HadoopFileSystemLogStore;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.io.BufferedWriter;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;

/**
 * Delta's commit rule for {@code file:} that holds between processes: of any number of writers of
 * one version exactly one succeeds, and nobody sees half a commit.
 *
 * <p>A commit is written to a temporary file in the log's directory, forced to disk, and then given
 * its name by a hard link. Making a link is one step of the file system and fails where the name
 * exists (POSIX {@code link}: EEXIST), which a rename does not. Delta's own {@code LocalLogStore}
 * tests for the name and then renames, under a lock of its own JVM: two processes can both pass the
 * test, and the second replaces the commit of the first.
 *
 * <p>Take two writers of version 7. Both finish a temporary file; the first link makes {@code
 * 00000000000000000007.json}, the second gets {@link FileAlreadyExistsException}, and Delta checks
 * its transaction against version 7 and tries 8.
 *
 * <p><b>After a crash.</b> Before the link there is no commit; after it the commit is whole and on
 * disk. What may be left in both cases is the temporary file. Its name begins with a dot: it sorts
 * before every commit, so {@link #listFrom} of a log file does not show it, and it is not the name
 * of a commit, so no reader of the log takes it for one. It may be deleted when no writer runs, and
 * by {@link DeltaTableFormat#vacuum} once it is older than any writer.
 *
 * <p><b>Cost.</b> Two forced writes, of file and directory. No state, so safe for any number of
 * threads.
 *
 * <p>The rule binds only those who follow it: every writer of a table must have {@code
 * spark.delta.logStore.file.impl=io.tidemark.delta.HardLinkLogStore}.
 */
public class HardLinkLogStore extends HadoopFileSystemLogStore {

  private final HardLink hardLink;

  /** Called by Delta through reflection; reads nothing and touches nothing. */
  public HardLinkLogStore(Configuration configuration) {
    this(configuration, Files::createLink);
  }

  HardLinkLogStore(Configuration configuration, HardLink hardLink) {
    super(configuration);
    this.hardLink = hardLink;
  }

  /** Gives a file a second name, or fails where that name exists. */
  @FunctionalInterface
  interface HardLink {
    Path create(Path link, Path existing) throws IOException;
  }

  /**
   * Writes a file of the log, one action a line, wholly or not at all.
   *
   * @param overwrite false for a commit: an existing file stays as it is. True for hints such as
   *     {@code _last_checkpoint}: the file is replaced in one step, the last writer wins
   * @throws FileAlreadyExistsException if the file exists and {@code overwrite} is false: the
   *     version is another writer's. The only failure that Delta answers by trying the next version
   * @throws FileNotFoundException if the log's directory does not exist
   * @throws UnsafeEnvironmentException if the path is not on a local file system, or on one that
   *     does not make hard links
   * @throws IOException if the file cannot be written. If the directory could not be forced to disk
   *     the commit is visible all the same: a retry has to carry the same transaction id
   */
  @Override
  public void write(
      org.apache.hadoop.fs.Path path,
      Iterator<String> actions,
      Boolean overwrite,
      Configuration configuration)
      throws IOException {
    Path target = localPath(path, configuration);
    Path directory = target.resolveSibling("");
    if (!Files.isDirectory(directory)) {
      throw new FileNotFoundException("Cannot write " + target + ": there is no " + directory);
    }
    if (!overwrite && Files.exists(target)) {
      throw alreadyExists(target);
    }
    Path temporary =
        directory.resolve("." + target.getFileName() + "." + UUID.randomUUID() + ".tmp");
    try {
      writeForced(temporary, actions);
      Files.deleteIfExists(checksumOf(target));
      if (overwrite) {
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      } else {
        link(target, temporary);
      }
    } finally {
      discard(temporary);
    }
    forceDirectory(directory);
  }

  /**
   * True, though what this class writes is never seen in part: Delta asks in order to know whether
   * the checkpoints that it writes past the log store need a rename, and on local files they do.
   */
  @Override
  public Boolean isPartialWriteVisible(
      org.apache.hadoop.fs.Path path, Configuration configuration) {
    return true;
  }

  private static Path localPath(org.apache.hadoop.fs.Path path, Configuration configuration)
      throws IOException {
    FileSystem fileSystem = path.getFileSystem(configuration);
    if (fileSystem instanceof LocalFileSystem local) {
      return local.pathToFile(path).toPath();
    }
    throw new UnsafeEnvironmentException(
        "Cannot commit "
            + path
            + ": commits by hard link are for local files, and this path is served by "
            + fileSystem.getClass().getName()
            + ". Set spark.delta.logStore.<scheme>.impl to HardLinkLogStore for the scheme 'file'"
            + " only.");
  }

  private static void writeForced(Path file, Iterator<String> lines) throws IOException {
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Writer writer =
            new BufferedWriter(
                new OutputStreamWriter(
                    Channels.newOutputStream(channel), StandardCharsets.UTF_8))) {
      while (lines.hasNext()) {
        writer.write(lines.next());
        writer.write('\n');
      }
      writer.flush();
      channel.force(true);
    }
  }

  private void link(Path target, Path temporary) throws IOException {
    try {
      hardLink.create(target, temporary);
    } catch (FileAlreadyExistsException e) {
      // A network file system that repeats a request may answer our own success with "exists".
      if (!Files.isSameFile(target, temporary)) {
        throw alreadyExists(target);
      }
    } catch (UnsupportedOperationException e) {
      throw noHardLinks(target, e);
    } catch (FileSystemException e) {
      // The subclasses (access denied, no such file, …) say what is wrong; this one is the rest.
      if (e.getClass() == FileSystemException.class) {
        throw noHardLinks(target, e);
      }
      throw e;
    }
  }

  private static FileAlreadyExistsException alreadyExists(Path target) {
    return new FileAlreadyExistsException(
        target.toString(), null, "another writer has committed this version");
  }

  private static UnsafeEnvironmentException noHardLinks(Path target, Exception cause) {
    return new UnsafeEnvironmentException(
        "Cannot commit "
            + target
            + " safely: its file system did not make a hard link ("
            + cause.getMessage()
            + "). FAT and some network and container mounts cannot. Put the warehouse on a file"
            + " system that can, such as ext4, XFS, APFS or NTFS.",
        cause);
  }

  /**
   * Hadoop's sidecar of a file that it wrote itself. One that outlives its file would make Hadoop
   * refuse to read the next file of that name; a file without one is read unchecked.
   */
  private static Path checksumOf(Path target) {
    return target.resolveSibling("." + target.getFileName() + ".crc");
  }

  private static void discard(Path temporary) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException leftOver) {
      // Harmless, see above; and the commit's own outcome is what the caller must hear.
    }
  }

  /** Makes the new name survive a power cut, where the system can open a directory. */
  private static void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (AccessDeniedException windows) {
      // Windows opens no directories; NTFS keeps names in a journal of its own.
    }
  }
}
