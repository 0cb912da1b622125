package io.tidemark.tests.crash;

import io.tidemark.delta.HardLinkLogStore;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Commits by hard link, until it ends the JVM as a power cut would: without a shutdown hook or a
 * finally. Which commit, and whether before or after it, the system properties say.
 */
public final class HaltingLogStore extends HardLinkLogStore {

  /** As a shell reports SIGKILL. */
  static final int EXIT_CODE = 137;

  private static final String TABLE = "tidemark.test.halt.table";
  private static final String COMMIT = "tidemark.test.halt.commit";
  private static final String MOMENT = "tidemark.test.halt.moment";

  private static final AtomicInteger COMMITS = new AtomicInteger();

  public HaltingLogStore(Configuration configuration) {
    super(configuration);
  }

  /** Whether the commit still takes place. */
  enum Moment {
    BEFORE,
    AFTER
  }

  /**
   * JVM options that end the process.
   *
   * @param table the end of the table's path
   * @param commit which of the process's commits to it, from 1
   */
  static List<String> haltAt(Moment moment, String table, int commit) {
    return List.of(
        "-Dspark.delta.logStore.file.impl=" + HaltingLogStore.class.getName(),
        "-D" + TABLE + "=" + table,
        "-D" + COMMIT + "=" + commit,
        "-D" + MOMENT + "=" + moment);
  }

  @Override
  public void write(
      Path path, Iterator<String> actions, Boolean overwrite, Configuration configuration)
      throws IOException {
    boolean last = isCommit(path) && COMMITS.incrementAndGet() == Integer.getInteger(COMMIT);
    if (last && Moment.valueOf(System.getProperty(MOMENT)) == Moment.BEFORE) {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
    super.write(path, actions, overwrite, configuration);
    if (last) {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  private static boolean isCommit(Path path) {
    return path.toUri()
        .getPath()
        .matches(".*/" + System.getProperty(TABLE) + "/_delta_log/\\d{20}\\.json");
  }
}
