package io.tidemark.bench.contender;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * Makes the commits of a finished archive again, one by one, as a stream would see them arrive.
 * Data files are hard links: nothing is read or written.
 */
final class ArchiveReplay {

  private static final String LOG = "_delta_log";

  private final Path from;
  private final Path to;
  private final Deque<Path> commits = new ArrayDeque<>();

  /**
   * @param from a Delta table
   * @param to a directory that becomes the same table without its records; what is there is removed
   */
  ArchiveReplay(Path from, Path to) throws IOException {
    this.from = from;
    this.to = to;
    FileUtils.deleteDirectory(to.toFile());
    linkData();
    try (Stream<Path> files = Files.list(from.resolve(LOG))) {
      files.filter(file -> file.toString().endsWith(".json")).sorted().forEach(commits::add);
    }
    while (!commits.isEmpty() && !Files.readString(commits.element()).contains("\"add\":{")) {
      publishNext();
    }
  }

  boolean hasNext() {
    return !commits.isEmpty();
  }

  /** Publishes one more commit. */
  void publishNext() throws IOException {
    Path commit = commits.remove();
    String version = commit.getFileName().toString().replace(".json", "");
    Path log = Files.createDirectories(to.resolve(LOG));
    Path checksum = from.resolve(LOG).resolve(version + ".crc");
    if (Files.exists(checksum)) {
      Files.createLink(log.resolve(checksum.getFileName()), checksum);
    }
    Files.createLink(log.resolve(commit.getFileName()), commit);
    Path checkpoint = from.resolve(LOG).resolve(version + ".checkpoint.parquet");
    if (Files.exists(checkpoint)) {
      Files.createLink(log.resolve(checkpoint.getFileName()), checkpoint);
      Files.copy(
          from.resolve(LOG).resolve("_last_checkpoint"),
          log.resolve("_last_checkpoint"),
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void linkData() throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.startsWith(from.resolve(LOG))) {
          Path link = to.resolve(from.relativize(file));
          Files.createDirectories(link.getParent());
          Files.createLink(link, file);
        }
      }
    }
  }
}
