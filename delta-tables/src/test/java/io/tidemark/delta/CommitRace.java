package io.tidemark.delta;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.delta.storage.LogStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Two processes that commit the same versions of one log at the same time.
 *
 * @param hadoop settings of both
 */
record CommitRace(
    Class<? extends LogStore> logStore, Path log, int versions, Map<String, String> hadoop) {

  /**
   * What came of it.
   *
   * @param claimsOfA versions whose commit writer A was told is its own
   * @param claimsOfB the same for writer B
   * @param lines the content of each version's file, in order: the name of a writer
   */
  record Outcome(Set<Integer> claimsOfA, Set<Integer> claimsOfB, List<String> lines) {

    Set<Integer> claimedTwice() {
      Set<Integer> both = new TreeSet<>(claimsOfA);
      both.retainAll(claimsOfB);
      return both;
    }

    /** Asks that each version is one writer's, and that both had some: else there was no race. */
    void requireEachVersionToBeOnes(int versions) {
      List<Integer> all = IntStream.range(0, versions).boxed().toList();
      assertThat(claimedTwice()).isEmpty();
      Set<Integer> claimed = new TreeSet<>(claimsOfA);
      claimed.addAll(claimsOfB);
      assertThat(claimed).containsExactlyElementsOf(all);
      assertThat(lines)
          .as("each version's content is the commit of the writer who was told that it is his")
          .containsExactlyElementsOf(
              all.stream().map(version -> claimsOfA.contains(version) ? "A" : "B").toList());
      assertThat(claimsOfA).as("versions of A: else there was no race").isNotEmpty();
      assertThat(claimsOfB).as("versions of B: else there was no race").isNotEmpty();
    }
  }

  static String fileName(int version) {
    return String.format("%020d.json", version);
  }

  Outcome run() throws IOException, InterruptedException {
    fileSystem().mkdirs(log);
    Process a = start("A");
    Process b = null;
    try {
      b = start("B");
      BufferedReader outputOfA = a.inputReader(UTF_8);
      BufferedReader outputOfB = b.inputReader(UTF_8);
      awaitReady(outputOfA);
      awaitReady(outputOfB);
      go(a);
      go(b);
      Set<Integer> claimsOfA = claims(outputOfA);
      Set<Integer> claimsOfB = claims(outputOfB);
      return new Outcome(claimsOfA, claimsOfB, lines());
    } finally {
      a.destroyForcibly().waitFor();
      if (b != null) {
        b.destroyForcibly().waitFor();
      }
    }
  }

  private Process start(String writer) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                java.nio.file.Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlog4j2.configurationFile=" + System.getProperty("log4j2.configurationFile"),
                "-cp",
                System.getProperty("java.class.path"),
                ClaimVersions.class.getName(),
                logStore.getName(),
                log.toUri().toString(),
                writer,
                Integer.toString(versions)));
    hadoop.forEach((key, value) -> command.add(key + "=" + value));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static void awaitReady(BufferedReader output) throws IOException {
    String line = output.readLine();
    if (!"ready".equals(line)) {
      throw new IllegalStateException("A writer did not get ready, but said: " + line);
    }
  }

  private static void go(Process writer) throws IOException {
    try (var input = writer.outputWriter(UTF_8)) {
      input.write("go\n");
    }
  }

  private static Set<Integer> claims(BufferedReader output) {
    return output.lines().map(Integer::valueOf).collect(Collectors.toCollection(TreeSet::new));
  }

  private List<String> lines() throws IOException {
    StringBuilder content = new StringBuilder();
    for (int version = 0; version < versions; version++) {
      try (InputStream in = fileSystem().open(new Path(log, fileName(version)))) {
        content.append(new String(in.readAllBytes(), UTF_8));
      }
    }
    return content.toString().lines().toList();
  }

  private FileSystem fileSystem() throws IOException {
    FileSystem fileSystem = log.getFileSystem(ClaimVersions.configuration(hadoop));
    // Of local files: a commit that was replaced leaves the sidecar of the other.
    fileSystem.setVerifyChecksum(false);
    return fileSystem;
  }
}
