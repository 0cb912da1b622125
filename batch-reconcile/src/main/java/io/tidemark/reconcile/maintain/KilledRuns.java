package io.tidemark.reconcile.maintain;

import io.tidemark.tables.FileTotal;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * Tables of their own that runs did not live to remove, in a folder on this machine's file system.
 *
 * @param folder with a folder for each run
 * @param before only runs that have not written since
 */
record KilledRuns(Path folder, Instant before) {

  FileTotal removable() {
    return find().stream().map(KilledRuns::total).reduce(FileTotal.NONE, FileTotal::plus);
  }

  FileTotal remove() {
    FileTotal removed = FileTotal.NONE;
    for (Path run : find()) {
      removed = removed.plus(total(run));
      try {
        FileUtils.deleteDirectory(run.toFile());
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot delete " + run, e);
      }
    }
    return removed;
  }

  private List<Path> find() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> runs = Files.list(folder)) {
      return runs.filter(Files::isDirectory).filter(this::isOld).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot list " + folder, e);
    }
  }

  private boolean isOld(Path run) {
    return files(run).noneMatch(file -> file.lastModified() >= before.toEpochMilli());
  }

  private static FileTotal total(Path run) {
    return files(run)
        .map(file -> new FileTotal(1, file.length()))
        .reduce(FileTotal.NONE, FileTotal::plus);
  }

  private static Stream<File> files(Path run) {
    return FileUtils.listFiles(run.toFile(), null, true).stream();
  }
}
