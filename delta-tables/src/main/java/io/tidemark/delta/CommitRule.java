package io.tidemark.delta;

import io.tidemark.tables.TablePath;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;

/** Whether two drivers can commit to a table without losing each other's commits. */
final class CommitRule {

  /** The setting that names the log store of local files. */
  static final String LOCAL_SETTING = "spark.delta.logStore.file.impl";

  static final String LOCAL_STORE = "io.tidemark.delta.HardLinkLogStore";

  private CommitRule() {}

  /** What makes commits unsafe where the table lies, with the remedy; empty: nothing. */
  static Optional<String> unsafe(TablePath table, SparkConf conf) {
    String scheme = new Path(table.value()).toUri().getScheme();
    if (scheme != null && !scheme.equals("file")) {
      return Optional.of(
          "this release has no lock and no tested commit rule for '"
              + scheme
              + ":'. Use a warehouse on local files.");
    }
    String store = conf.get(LOCAL_SETTING, "Delta's own");
    if (!isLocalStore(store)) {
      return Optional.of(
          "commits to local files go through "
              + store
              + " log store, under which two processes lose each other's commits. Set "
              + LOCAL_SETTING
              + "="
              + LOCAL_STORE
              + " before the Spark context starts.");
    }
    return Optional.empty();
  }

  /** Whether the class commits by hard link, be it that one or a subclass. */
  private static boolean isLocalStore(String className) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try {
      return HardLinkLogStore.class.isAssignableFrom(Class.forName(className, false, loader));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
