package io.tidemark.tests.harness;

import com.holdenkarau.spark.testing.JavaDatasetSuiteBase;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The comparators of spark-testing-base, on the session of these tests. */
public final class SameRows extends JavaDatasetSuiteBase {

  private static final long serialVersionUID = 1L;

  private SameRows() {}

  @Override
  public SparkSession spark() {
    return TestSpark.session();
  }

  /** Asserts that two tables have the same columns and rows, in any order. */
  public static void assertSame(Dataset<Row> expected, Dataset<Row> actual) {
    new SameRows().assertDataFrameNoOrderEquals(expected, actual);
  }
}
