package io.tidemark.cli;

import io.tidemark.spec.error.SpecException;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** Lets through only statements that read: a slip must not change a table. */
public final class ReadOnlySql {

  /** Statements that are no queries and read, by the names of their plans. */
  private static final Set<String> READING =
      Set.of(
          "DescribeRelation",
          "DescribeColumn",
          "DescribeQueryCommand",
          "ShowTables",
          "ShowColumns",
          "ShowViews",
          "ShowFunctions",
          "ExplainCommand",
          "DescribeDeltaHistory",
          "DescribeDeltaDetailCommand");

  private ReadOnlySql() {}

  /**
   * Checks a statement without running it.
   *
   * @throws SpecException if it is no SQL, or does anything but read
   */
  public static void require(SparkSession spark, String sql) {
    ParserInterface parser =
        ((org.apache.spark.sql.classic.SparkSession) spark).sessionState().sqlParser();
    LogicalPlan plan;
    try {
      plan = parser.parsePlan(sql);
    } catch (ParseException e) {
      throw new SpecException("Cannot read the query: " + e.getMessage(), e);
    }
    if (!READING.contains(plan.getClass().getSimpleName()) && !isQuery(parser, sql)) {
      throw new SpecException(
          "'"
              + sql
              + "' would do more than read. tidemark sql takes SELECT, WITH, DESCRIBE, SHOW"
              + " and EXPLAIN only.");
    }
  }

  /**
   * Whether the text is what may stand between the parentheses of a subquery. (Statements that
   * write cannot be told by their plans: some are commands, some are not.)
   */
  private static boolean isQuery(ParserInterface parser, String sql) {
    try {
      parser.parseQuery(sql.replaceFirst(";\\s*$", ""));
      return true;
    } catch (ParseException e) {
      return false;
    }
  }
}
