package io.tidemark.merge;

import io.tidemark.delta.DeltaSettings;
import io.tidemark.tables.TestSession;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;

/** The session of this module's tests; its tables are Delta's. */
final class Session {

  private Session() {}

  static SparkSession shared() {
    Map<String, String> settings = new TreeMap<>(DeltaSettings.forSession());
    settings.putAll(DeltaSettings.forLaptop());
    return TestSession.with(settings);
  }
}
