package io.tidemark.tables;

import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** The one Spark session of a test JVM. */
public final class TestSession {

  private TestSession() {}

  /**
   * Makes the session, or takes the one that runs.
   *
   * @param settings of the table format; the same at every call in one JVM
   */
  public static SparkSession with(Map<String, String> settings) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "1")
            // A handful of rows is read before code for it would be compiled.
            .config("spark.sql.codegen.wholeStage", "false")
            .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
            .config("spark.sql.adaptive.enabled", "false")
            .config("spark.sql.ui.explainMode", "simple")
            .config("spark.sql.session.timeZone", "UTC");
    settings.forEach(builder::config);
    return builder.getOrCreate();
  }
}
