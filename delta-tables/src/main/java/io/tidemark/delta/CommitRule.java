package io.tidemark.delta;

import io.delta.storage.LogStore;
import io.tidemark.store.StoreRule;
import io.tidemark.tables.TablePath;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;

/** Whether two drivers can commit to a table without losing each other's commits. */
final class CommitRule {

  /** The setting that names the log store of local files. */
  static final String LOCAL_SETTING = "spark.delta.logStore.file.impl";

  /** The setting that names the log store of S3. */
  static final String S3_SETTING = "spark.delta.logStore.s3a.impl";

  private CommitRule() {}

  /** What makes commits unsafe where the table lies, with the remedy; empty: nothing. */
  static Optional<String> unsafe(TablePath table, SparkConf conf, Configuration hadoop) {
    Path path = new Path(table.value());
    String scheme = path.toUri().getScheme();
    if (scheme == null || scheme.equals("file")) {
      return unsafeStore("local files", LOCAL_SETTING, HardLinkLogStore.class, conf);
    } else if (StoreRule.appliesTo(table.value())) {
      return unsafeStore("S3", S3_SETTING, ConditionalPutLogStore.class, conf)
          .or(() -> StoreRule.broken(path, hadoop));
    }
    return Optional.of(
        "this release has no lock and no tested commit rule for '"
            + scheme
            + ":'. Use a warehouse on local files or on s3a.");
  }

  private static Optional<String> unsafeStore(
      String where, String setting, Class<? extends LogStore> safe, SparkConf conf) {
    String store = conf.get(setting, "Delta's own");
    return isOrExtends(store, safe)
        ? Optional.empty()
        : Optional.of(
            "commits to "
                + where
                + " go through "
                + store
                + " log store, under which two processes lose each other's commits. Set "
                + setting
                + "="
                + safe.getName()
                + " before the Spark context starts.");
  }

  private static boolean isOrExtends(String className, Class<? extends LogStore> safe) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try {
      return safe.isAssignableFrom(Class.forName(className, false, loader));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
