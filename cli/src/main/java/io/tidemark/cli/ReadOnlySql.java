package io.tidemark.cli;

import io.tidemark.spec.error.SpecException;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.ParsedStatement;
import scala.jdk.javaapi.CollectionConverters;

/** Lets through only statements that read: a slip must not change a table. */
public final class ReadOnlySql {

  /** Commands of Spark's parser that read. */
  private static final Set<String> READING =
      Set.of(
          "DescribeRelation",
          "DescribeColumn",
          "DescribeQueryCommand",
          "ShowTables",
          "ShowColumns",
          "ShowViews",
          "ShowFunctions",
          "ExplainCommand");

  private ReadOnlySql() {}

  /**
   * Checks a statement without running it.
   *
   * @throws SpecException if it is no SQL, or does anything but read
   */
  public static void require(SparkSession spark, String sql) {
    LogicalPlan plan;
    try {
      plan =
          ((org.apache.spark.sql.classic.SparkSession) spark)
              .sessionState()
              .sqlParser()
              .parsePlan(sql);
    } catch (ParseException e) {
      throw new SpecException("Cannot read the query: " + e.getMessage(), e);
    }
    if (changes(plan)) {
      throw new SpecException(
          "'"
              + sql
              + "' would do more than read. tidemark sql takes SELECT, WITH, DESCRIBE, SHOW"
              + " and EXPLAIN only.");
    }
  }

  private static boolean changes(LogicalPlan plan) {
    boolean changing =
        (plan instanceof Command || plan instanceof ParsedStatement)
            && !READING.contains(plan.getClass().getSimpleName());
    return changing
        || CollectionConverters.asJava(plan.children()).stream().anyMatch(ReadOnlySql::changes);
  }
}
