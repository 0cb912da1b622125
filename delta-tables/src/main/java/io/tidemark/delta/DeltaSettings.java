package io.tidemark.delta;

import java.util.Map;
import java.util.TreeMap;

/** What a Spark session needs for Tidemark's tables on Delta Lake. */
public final class DeltaSettings {

  private DeltaSettings() {}

  /** Without these nothing works, or nothing is safe. */
  public static Map<String, String> forSession() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension");
    settings.put(
        "spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog");
    settings.put(CommitRule.LOCAL_SETTING, HardLinkLogStore.class.getName());
    settings.put(CommitRule.S3_SETTING, ConditionalPutLogStore.class.getName());
    // Lists a log from the version that is asked for, not from its beginning.
    settings.put("spark.hadoop.delta.enableFastS3AListFrom", "true");
    return settings;
  }

  /** For a local master, where Delta's defaults are made for a cluster. */
  public static Map<String, String> forLaptop() {
    return Map.of("spark.databricks.delta.snapshotPartitions", "1");
  }
}
