package io.tidemark.tests.harness;

import io.tidemark.cli.SessionFactory;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** The one Spark session of a test JVM, made as a command makes it. */
public final class TestSpark {

  /**
   * What makes many small queries quick, and changes no number: state in memory, no generated code,
   * plans as they are. A checkpoint keeps the first two, so child JVMs are given all of it.
   */
  public static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("spark.master", "local[2]"),
          Map.entry("spark.sql.shuffle.partitions", "1"),
          Map.entry(
              "spark.sql.streaming.stateStore.providerClass",
              "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"),
          Map.entry("spark.sql.streaming.pollingDelay", "100ms"),
          Map.entry("spark.sql.codegen.wholeStage", "false"),
          Map.entry("spark.sql.codegen.factoryMode", "NO_CODEGEN"),
          Map.entry("spark.sql.adaptive.enabled", "false"),
          // A machine that is put to sleep for minutes is no lost executor.
          Map.entry("spark.executor.heartbeatInterval", "20m"),
          Map.entry("spark.network.timeout", "60m"));

  private TestSpark() {}

  private static final class Opened {
    private static final SparkSession SESSION = SessionFactory.open("tests", SETTINGS);
  }

  public static SparkSession session() {
    return Opened.SESSION;
  }
}
