package io.tidemark.reconcile.maintain;

import io.tidemark.tables.FileTotal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Files of ours that nobody else deletes, in a folder on this machine's file system.
 *
 * <p>Of a checkpoint these are the temporary files of a process that was killed between writing and
 * renaming one: each has a name that is never used again. All else in a checkpoint Spark needs, or
 * deletes itself (offsets, commits and state of batches before the last hundred, lists of files
 * that were read once they are in a compacted one).
 *
 * @param names of the files that may be deleted, without their folder
 * @param before only files that have not changed since
 */
record Leftovers(Path folder, Pattern names, Instant before) {

  /** {@code .5.<uuid>.tmp} and Hadoop's sidecar {@code ..5.<uuid>.tmp.crc}. */
  private static final Pattern UNFINISHED = Pattern.compile("\\..+\\.tmp(\\.crc)?");

  private static final Pattern RESULTS =
      Pattern.compile(
          "[a-z-]+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.json|\\.result-.+\\.tmp");

  static Leftovers ofCheckpoints(Path folder, Instant before) {
    return new Leftovers(folder, UNFINISHED, before);
  }

  /** Result files of runs; those that a user has named otherwise stay. */
  static Leftovers ofRuns(Path folder, Instant before) {
    return new Leftovers(folder, RESULTS, before);
  }

  FileTotal removable() {
    return find().stream().map(Found::total).reduce(FileTotal.NONE, FileTotal::plus);
  }

  FileTotal remove() {
    List<Found> found = find();
    for (Found file : found) {
      try {
        Files.deleteIfExists(file.path());
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot delete " + file.path(), e);
      }
    }
    return found.stream().map(Found::total).reduce(FileTotal.NONE, FileTotal::plus);
  }

  private record Found(Path path, long bytes) {
    FileTotal total() {
      return new FileTotal(1, bytes);
    }
  }

  private List<Found> find() {
    List<Found> found = new ArrayList<>();
    if (!Files.isDirectory(folder)) {
      return found;
    }
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (attributes.isRegularFile()
                  && attributes.lastModifiedTime().toInstant().isBefore(before)
                  && names.matcher(String.valueOf(file.getFileName())).matches()) {
                found.add(new Found(file, attributes.size()));
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
              // A running stream deletes and renames files meanwhile.
              if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
              }
              throw e;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot list " + folder, e);
    }
    return found;
  }
}
