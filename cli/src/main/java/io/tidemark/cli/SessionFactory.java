package io.tidemark.cli;

import io.tidemark.delta.DeltaSettings;
import io.tidemark.ingest.ConditionalCheckpointFileManager;
import io.tidemark.ingest.eviction.EvictionWhenWindowsClose;
import io.tidemark.store.StoreRule;
import io.tidemark.tables.Warehouse;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.streaming.state.StateStore;

/**
 * Makes the Spark session of a command. Under spark-submit its settings come first; without it the
 * session is local, with defaults that fit the machine instead of a cluster.
 */
public final class SessionFactory {

  private SessionFactory() {}

  /**
   * Makes the session, or takes the one that runs in this JVM.
   *
   * @param settings of the command line, over all others
   */
  public static SparkSession open(String name, Map<String, String> settings) {
    return open(name, settings, Map.of());
  }

  /**
   * The same for tables that lie somewhere.
   *
   * @param required by the place, over all others
   */
  public static SparkSession open(
      String name, Map<String, String> settings, Map<String, String> required) {
    // Settings of spark-submit are system properties, which this constructor reads.
    SparkConf given = new SparkConf();
    settings.forEach(given::set);
    // Without them: Spark takes them itself, but logs what a session is made with.
    SparkConf conf = new SparkConf(false).setAppName("tidemark " + name);
    String master = given.get("spark.master", "local[*]");
    defaults(master)
        .forEach(
            (key, value) -> {
              if (!given.contains(key)) {
                conf.set(key, value);
              }
            });
    settings.forEach(
        (key, value) -> {
          if (!GivenSettings.isSecret(key)) {
            conf.set(key, value);
          }
        });
    required.forEach(conf::set);
    // Numbers depend on these, so they are not defaults.
    conf.set("spark.sql.session.timeZone", "UTC");
    conf.set("spark.sql.ansi.enabled", "true");
    return withSecrets(
        settings,
        () -> EvictionWhenWindowsClose.addTo(SparkSession.builder().config(conf)).getOrCreate());
  }

  /**
   * Hands over what is secret as system properties, like spark-submit, from which a new context
   * takes all: a session's builder logs what it is given.
   */
  static <T> T withSecrets(Map<String, String> settings, Supplier<T> work) {
    Map<String, String> handedOver = new HashMap<>();
    settings.forEach(
        (key, value) -> {
          if (GivenSettings.isSecret(key) && System.getProperty(key) == null) {
            handedOver.put(key, value);
          }
        });
    handedOver.forEach(System::setProperty);
    try {
      return work.get();
    } finally {
      handedOver.keySet().forEach(System::clearProperty);
    }
  }

  /**
   * Ends a session, and the streaming state that Spark leaves open with it: a native thread that
   * still works on it when the JVM exits would keep it from exiting for ever.
   */
  public static void close(SparkSession session) {
    StateStore.stop();
    session.stop();
  }

  /** What streams need where their checkpoints lie. */
  public static Map<String, String> requiredFor(Warehouse warehouse) {
    return StoreRule.appliesTo(warehouse.root())
        ? Map.of(
            "spark.sql.streaming.checkpointFileManagerClass",
            ConditionalCheckpointFileManager.class.getName())
        : Map.of();
  }

  static Map<String, String> defaults(String master) {
    Map<String, String> defaults = new TreeMap<>(DeltaSettings.forSession());
    defaults.put("spark.master", master);
    // What readers see goes before a candidate and kept generations: fairscheduler.xml.
    defaults.put("spark.scheduler.mode", "FAIR");
    // What Spark hides in event logs and its UI, and all options of Kafka: neither the name nor the
    // value of a PEM key tells what it is.
    defaults.put(
        "spark.redaction.regex", GivenSettings.SECRET.pattern() + "|spark[.]tidemark[.]kafka");
    // Every query's plan is written out for the UI; long ones took a tenth of a small batch.
    defaults.put("spark.sql.debug.maxToStringFields", "5");
    defaults.put("spark.sql.ui.explainMode", "simple");
    // A batch runs more generated classes than the 100 that Spark keeps compiled.
    defaults.put("spark.sql.codegen.cache.maxEntries", "1000");
    defaults.put(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider");
    defaults.put("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled", "true");
    defaults.put("spark.sql.streaming.stateStore.rocksdb.trackTotalNumberOfRows", "false");
    defaults.put("spark.sql.streaming.stateStore.rocksdb.boundedMemoryUsage", "true");
    if (master.startsWith("local")) {
      int cores = Runtime.getRuntime().availableProcessors();
      defaults.putAll(DeltaSettings.forLaptop());
      defaults.put("spark.sql.shuffle.partitions", Integer.toString(cores));
      defaults.put("spark.ui.enabled", "false");
      defaults.put("spark.hadoop.fs.file.impl", ForklessFileSystem.class.getName());
      // The other manager goes round Hadoop's FileSystem, and so round the class above.
      defaults.put(
          "spark.sql.streaming.checkpointFileManagerClass",
          "org.apache.spark.sql.execution.streaming.checkpointing"
              + ".FileSystemBasedCheckpointFileManager");
      defaults.put("spark.driver.host", "localhost");
      defaults.put("spark.driver.bindAddress", "127.0.0.1");
    }
    return defaults;
  }
}
