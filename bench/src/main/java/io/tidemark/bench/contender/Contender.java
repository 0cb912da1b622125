package io.tidemark.bench.contender;

import io.tidemark.cli.SessionFactory;
import java.util.Map;
import java.util.TimeZone;
import org.apache.spark.sql.SparkSession;

/** Runs a contender as all that its process is for. */
final class Contender {

  /** What a contender does. */
  interface Work {
    void run(SparkSession spark) throws Exception;
  }

  private Contender() {}

  /** Runs it and ends the process, with 1 where it fails, whatever threads are left. */
  static void main(Map<String, String> settings, Work work) {
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    SparkSession spark = SessionFactory.open("bench", settings);
    int exitCode = 0;
    try {
      work.run(spark);
    } catch (Exception e) {
      e.printStackTrace();
      exitCode = 1;
    }
    SessionFactory.close(spark);
    System.exit(exitCode);
  }
}
