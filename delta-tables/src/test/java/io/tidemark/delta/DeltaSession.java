package io.tidemark.delta;

import io.tidemark.tables.TablePath;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;

/** What the contract needs of Delta. */
final class DeltaSession {

  private DeltaSession() {}

  static Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>(DeltaSettings.forSession());
    settings.putAll(DeltaSettings.forLaptop());
    return settings;
  }

  static void compact(SparkSession spark, TablePath table) {
    io.delta.tables.DeltaTable.forPath(spark, table.value()).optimize().executeCompaction();
  }
}
