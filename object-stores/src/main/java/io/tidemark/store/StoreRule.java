package io.tidemark.store;

import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Whether a bucket keeps the rule that {@link ConditionalPut} rests on. Looked at once per JVM and
 * bucket, before anything is written: without the rule two processes lose each other's commits, in
 * silence.
 */
public final class StoreRule {

  /** The scheme whose stores have the rule. */
  public static final String SCHEME = "s3a";

  private static final Set<String> KEPT = ConcurrentHashMap.newKeySet();

  private StoreRule() {}

  /** Whether a path or URI lies on a store that this rule is for. */
  public static boolean appliesTo(String location) {
    return SCHEME.equals(new Path(location).toUri().getScheme());
  }

  /**
   * Looks at settings, client and store.
   *
   * @param folder where the probe may put its objects for a moment
   * @return what is unsafe, with the remedy; empty: nothing
   * @throws UnsafeEnvironmentException if the store can't be asked
   */
  public static Optional<String> broken(Path folder, Configuration hadoop) {
    String bucket = folder.toUri().getScheme() + "://" + folder.toUri().getHost();
    if (KEPT.contains(bucket)) {
      return Optional.empty();
    }
    try {
      FileSystem fileSystem = folder.getFileSystem(hadoop);
      Optional<String> broken =
          brokenBySettings(bucket, fileSystem.getConf())
              .or(() -> brokenByClient(fileSystem, folder));
      if (broken.isEmpty()) {
        broken = new StoreProbe(fileSystem).run(folder).map(what -> brokenByStore(bucket, what));
      }
      if (broken.isEmpty()) {
        KEPT.add(bucket);
      }
      return broken;
    } catch (IOException e) {
      throw unreachable(bucket, e);
    }
  }

  private static Optional<String> brokenBySettings(String bucket, Configuration conf) {
    if (conf.getBoolean("fs.s3a.create.performance", false)) {
      return Optional.of(brokenBySetting(bucket, "fs.s3a.create.performance=true"));
    }
    String flags = conf.get("fs.s3a.performance.flags", "");
    List<String> names =
        Arrays.stream(flags.split(",", -1))
            .map(flag -> flag.trim().toLowerCase(Locale.ROOT))
            .toList();
    return names.contains("create") || names.contains("*")
        ? Optional.of(brokenBySetting(bucket, "fs.s3a.performance.flags=" + flags))
        : Optional.empty();
  }

  private static String brokenBySetting(String bucket, String setting) {
    return "the setting "
        + setting
        + " lets S3A create objects in "
        + bucket
        + " without looking whether they exist. Take 'create' and '*' out of it, also of its form"
        + " for one bucket (fs.s3a.bucket.…).";
  }

  private static Optional<String> brokenByClient(FileSystem fileSystem, Path folder) {
    try {
      return fileSystem.hasPathCapability(folder, ConditionalPut.CONDITION)
          ? Optional.empty()
          : Optional.of(
              "the S3A client sends no conditional puts. Use hadoop-aws 3.4.2 or newer, and leave"
                  + " fs.s3a.create.conditional.enabled at true.");
    } catch (IOException e) {
      throw unreachable(folder.toString(), e);
    }
  }

  private static String brokenByStore(String bucket, String what) {
    return "the store of "
        + bucket
        + " does not create objects exclusively ("
        + what
        + "), so that two processes would lose each other's commits. Use a store that honours"
        + " 'If-None-Match: *' atomically, or a warehouse on local files; docs/object-stores.md"
        + " lists both.";
  }

  private static UnsafeEnvironmentException unreachable(String what, IOException e) {
    String remedy =
        e instanceof AccessDeniedException
            ? "Mend the keys (environment, Spark's properties file or Hadoop's credential providers)"
                + " and the rights to read, write, list and delete there."
            : "Mend fs.s3a.endpoint, the bucket's name or the network, or wait for the store.";
    return new UnsafeEnvironmentException(
        "Cannot work on " + what + ": " + firstLine(e) + ". " + remedy, e);
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.getClass().getName());
  }
}
