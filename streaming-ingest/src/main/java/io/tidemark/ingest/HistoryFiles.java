package io.tidemark.ingest;

import io.tidemark.spec.Source;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.fingerprint.Fingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GlobFilter;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The files of an import as they are now, each once, in the order of their full paths.
 *
 * @param files with length and modification time
 */
record HistoryFiles(List<FileStatus> files) {

  HistoryFiles {
    files = List.copyOf(files);
  }

  /**
   * Finds them. Below a directory: all whose name fits the source's glob. Names that begin with
   * {@code _} or {@code .} are left aside, as ingest does. Cost: lists the directories.
   *
   * @param locations a file, a directory or a glob each; a relative one begins where the process
   *     was started
   * @throws SpecException if there is no file at one of them; names all of these
   */
  static HistoryFiles find(Configuration hadoop, Source.Files source, List<String> locations) {
    TreeMap<String, FileStatus> found = new TreeMap<>();
    List<String> without = new ArrayList<>();
    for (String location : locations) {
      List<FileStatus> files = at(new Path(location), hadoop, source);
      files.forEach(file -> found.put(file.getPath().toString(), file));
      if (files.isEmpty()) {
        without.add(location);
      }
    }
    if (!without.isEmpty()) {
      throw new SpecException(
          "Cannot import: there is no file at "
              + String.join(", ", without)
              + source.nameGlob().map(glob -> ", or none below it that fits " + glob).orElse("")
              + ". Mend the path (a relative one is looked up from the directory that the command"
              + " is started in); names that begin with _ or . are left aside.");
    }
    return new HistoryFiles(List.copyOf(found.values()));
  }

  /** The same for the same files, as long as none of them is written again: 64 digits. */
  String importId() {
    return new Fingerprint(
            files.stream()
                .map(
                    file ->
                        "%s: %d bytes at %d\n"
                            .formatted(file.getPath(), file.getLen(), file.getModificationTime()))
                .collect(Collectors.joining()))
        .sha256();
  }

  List<String> paths() {
    return files.stream().map(file -> file.getPath().toString()).toList();
  }

  private static List<FileStatus> at(Path location, Configuration hadoop, Source.Files source) {
    try {
      FileSystem fileSystem = location.getFileSystem(hadoop);
      // A name may hold what a glob means otherwise, so it is looked for as it is first.
      FileStatus[] matches =
          fileSystem.exists(location)
              ? new FileStatus[] {fileSystem.getFileStatus(location)}
              : fileSystem.globStatus(location);
      List<FileStatus> files = new ArrayList<>();
      if (matches != null) {
        for (FileStatus match : matches) {
          if (match.isDirectory()) {
            files.addAll(below(match.getPath(), fileSystem, source));
          } else if (!isHidden(match.getPath().getName())) {
            files.add(match);
          }
        }
      }
      return files;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot look up " + location, e);
    }
  }

  private static List<FileStatus> below(Path directory, FileSystem fileSystem, Source.Files source)
      throws IOException {
    PathFilter fits =
        source.nameGlob().isPresent() ? new GlobFilter(source.nameGlob().get()) : path -> true;
    List<FileStatus> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> all = fileSystem.listFiles(directory, true);
    while (all.hasNext()) {
      FileStatus file = all.next();
      if (fits.accept(file.getPath()) && !isHidden(file.getPath(), directory)) {
        files.add(file);
      }
    }
    return files;
  }

  /** Whether the file's name, or that of a directory between the two, is hidden. */
  private static boolean isHidden(Path file, Path directory) {
    for (Path path = file; path != null && !path.equals(directory); path = path.getParent()) {
      if (isHidden(path.getName())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isHidden(String name) {
    return name.startsWith("_") || name.startsWith(".") || name.endsWith("._COPYING_");
  }
}
