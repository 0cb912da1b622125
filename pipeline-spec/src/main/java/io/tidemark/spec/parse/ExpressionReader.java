package io.tidemark.spec.parse;

import io.tidemark.spec.expression.Checked;
import io.tidemark.spec.expression.ExpressionChecker;
import io.tidemark.spec.expression.Refusal;
import java.util.Optional;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;

/** Reads SQL expressions over the columns in sight. */
final class ExpressionReader {

  private final Columns columns;
  private final ExpressionChecker checker;

  ExpressionReader(Columns columns) {
    this.columns = columns;
    this.checker = new ExpressionChecker(columns.type());
  }

  /** The expression's type; a problem is reported at the value. */
  Optional<DataType> type(YamlValue value, String sql) {
    if (columns.isOrMentionsBroken(sql)) {
      return Optional.empty();
    }
    Checked checked = checker.check(sql);
    if (checked instanceof Checked.Refused refused) {
      Refusal refusal = refused.refusal();
      value.refuse("'" + sql + "' " + refusal.what(), refusal.remedy());
    }
    return checked instanceof Checked.Typed typed ? Optional.of(typed.type()) : Optional.empty();
  }

  /** A condition, as text. */
  Optional<String> condition(YamlValue value) {
    Optional<String> sql = value.text();
    Optional<DataType> type = sql.flatMap(text -> type(value, text));
    if (type.isPresent() && !(type.get() instanceof BooleanType)) {
      value.refuse(
          "is " + type.get().sql() + ", not BOOLEAN", "Write a condition, e.g. ad_id IS NOT NULL.");
    }
    return sql;
  }
}
