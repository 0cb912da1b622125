package io.tidemark.spec.computation;

import org.apache.spark.sql.SparkSession;

/** The one Spark session of the test JVM. */
final class TestSession {

  private TestSession() {}

  static SparkSession shared() {
    return SparkSession.builder()
        .master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate();
  }
}
