package io.tidemark.bench.workload;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes a workload: {@code events/00000.jsonl} and on, in the order of arrival; {@code
 * oracle.csv}; and, last, {@code manifest.txt}, a line for each file with its SHA-256, events and
 * name.
 */
public final class WorkloadFiles {

  private static final String MANIFEST = "manifest.txt";

  private final Path directory;
  private final long eventsPerFile;

  /**
   * @param directory is made
   * @param eventsPerFile with copies; the last file has the rest
   */
  public WorkloadFiles(Path directory, long eventsPerFile) {
    if (eventsPerFile < 1) {
      throw new IllegalArgumentException("eventsPerFile is below 1: " + eventsPerFile);
    }
    this.directory = directory;
    this.eventsPerFile = eventsPerFile;
  }

  /** Writes it anew, whatever was there; a directory without a manifest is half written. */
  public void write(Workload workload) throws IOException {
    Files.createDirectories(directory);
    Files.deleteIfExists(directory.resolve(MANIFEST));
    Path events = emptied(directory.resolve("events"));
    Path counting = emptied(directory.resolve("counting"));
    List<String> manifest = new ArrayList<>();
    Arrivals arrivals = new Arrivals(workload);
    try (Oracle oracle = new Oracle(counting, workload.window().toMillis())) {
      for (int number = 0; arrivals.hasNext(); number++) {
        manifest.add(write(arrivals, events.resolve("%05d.jsonl".formatted(number)), oracle));
      }
      oracle.write(directory.resolve("oracle.csv"));
    }
    Files.delete(emptied(counting));
    Files.write(directory.resolve(MANIFEST), manifest);
  }

  /** Writes a file and gives its line of the manifest. */
  private String write(Arrivals arrivals, Path file, Oracle oracle) throws IOException {
    MessageDigest digest = sha256();
    long written = 0;
    try (OutputStream out =
        new DigestOutputStream(new BufferedOutputStream(Files.newOutputStream(file)), digest)) {
      for (; written < eventsPerFile && arrivals.hasNext(); written++) {
        BenchEvent event = arrivals.next();
        out.write(EventJson.line(event).getBytes(StandardCharsets.UTF_8));
        if (!event.copy()) {
          oracle.count(event);
        }
      }
    }
    return "%s %d events/%s"
        .formatted(HexFormat.of().formatHex(digest.digest()), written, file.getFileName());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static Path emptied(Path directory) throws IOException {
    Files.createDirectories(directory);
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    return directory;
  }
}
