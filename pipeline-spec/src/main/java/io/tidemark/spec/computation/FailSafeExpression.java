package io.tidemark.spec.computation;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.TryEval;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser;
import org.apache.spark.sql.classic.ExpressionUtils;

/**
 * An expression of the pipeline file, evaluated so that no event can make it fail: where ANSI
 * arithmetic would raise an error (a division by zero, an overflow, a bad cast), it is null. One
 * such event would otherwise stop the stream for good.
 */
final class FailSafeExpression {

  private FailSafeExpression() {}

  static Column of(String sql) {
    Expression expression = new CatalystSqlParser().parseExpression(sql);
    return ExpressionUtils.column(new TryEval(expression));
  }
}
