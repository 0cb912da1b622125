package io.tidemark.tests.harness;

import io.tidemark.delta.HardLinkLogStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;

/**
 * Commits by hard link, until one of the commits is interrupted: the JVM ends as a power cut would
 * end it, without a shutdown hook or a finally, or the commit waits for another process. Which
 * commit, and how, the system properties say.
 */
public final class InterruptingLogStore extends HardLinkLogStore {

  /** As a shell reports SIGKILL. */
  public static final int EXIT_CODE = 137;

  private static final String TABLE = "tidemark.test.interrupt.table";
  private static final String COMMIT = "tidemark.test.interrupt.commit";
  private static final String MOMENT = "tidemark.test.interrupt.moment";
  private static final String RELEASE = "tidemark.test.interrupt.release";

  private static final AtomicInteger COMMITS = new AtomicInteger();

  public InterruptingLogStore(Configuration configuration) {
    super(configuration);
  }

  /** What happens at the commit. */
  private enum Moment {
    HALT_AFTER,
    WAIT_BEFORE
  }

  /**
   * JVM options that end the process.
   *
   * @param table the end of the table's path
   * @param commit after which of the process's commits to it, from 1
   */
  public static List<String> haltAfter(String table, int commit) {
    return options(Moment.HALT_AFTER, table, commit);
  }

  /**
   * JVM options that make the process's first commit to a table wait.
   *
   * @param release the file that ends the waiting; while it waits, the file {@link #waiting} is
   *     there
   */
  public static List<String> waitAt(String table, Path release) {
    List<String> options = new ArrayList<>(options(Moment.WAIT_BEFORE, table, 1));
    options.add("-D" + RELEASE + "=" + release);
    return options;
  }

  public static Path waiting(Path release) {
    return release.resolveSibling(release.getFileName() + ".waiting");
  }

  private static List<String> options(Moment moment, String table, int commit) {
    return List.of(
        "-Dspark.delta.logStore.file.impl=" + InterruptingLogStore.class.getName(),
        "-D" + TABLE + "=" + table,
        "-D" + COMMIT + "=" + commit,
        "-D" + MOMENT + "=" + moment);
  }

  @Override
  public void write(
      org.apache.hadoop.fs.Path path,
      Iterator<String> actions,
      Boolean overwrite,
      Configuration configuration)
      throws IOException {
    boolean chosen = isCommit(path) && COMMITS.incrementAndGet() == Integer.getInteger(COMMIT);
    if (!chosen) {
      super.write(path, actions, overwrite, configuration);
      return;
    }
    switch (Moment.valueOf(System.getProperty(MOMENT))) {
      case HALT_AFTER -> {
        super.write(path, actions, overwrite, configuration);
        Runtime.getRuntime().halt(EXIT_CODE);
      }
      case WAIT_BEFORE -> {
        Path release = Path.of(System.getProperty(RELEASE));
        Files.createFile(waiting(release));
        Await.until("released", () -> Files.exists(release));
        super.write(path, actions, overwrite, configuration);
      }
    }
  }

  private static boolean isCommit(org.apache.hadoop.fs.Path path) {
    return path.toUri()
        .getPath()
        .matches(".*/" + System.getProperty(TABLE) + "/_delta_log/\\d{20}\\.json");
  }
}
