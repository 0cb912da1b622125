package io.tidemark.spec.expression;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.error.NearestName;
import io.tidemark.spec.expression.Checked.Refused;
import io.tidemark.spec.expression.Checked.Typed;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructType;

/**
 * Checks Spark SQL expressions over given columns: a single deterministic value from one event,
 * free of subqueries, aggregates, clock and environment. Needs no Spark session.
 */
public final class ExpressionChecker {

  private final StructType columns;

  /**
   * @param columns what the expressions may name; no two names that differ in case only
   */
  public ExpressionChecker(StructType columns) {
    this.columns = columns;
  }

  /** The same with one more column. */
  public ExpressionChecker with(ColumnName name, DataType type) {
    return new ExpressionChecker(columns.add(name.value(), type));
  }

  public Checked check(String sql) {
    return Catalyst.withConf(() -> checkWithConf(sql));
  }

  private Checked checkWithConf(String sql) {
    try {
      Expression parsed = Catalyst.parse(sql);
      Optional<Refusal> refusal = SyntaxRules.refusal(sql, parsed);
      return refusal.isPresent()
          ? new Refused(refusal.get())
          : checkAnalyzed(Catalyst.analyze(parsed, columns));
    } catch (ParseException e) {
      return new Refused(
          "is not a Spark SQL expression: " + SparkMessage.firstLine(e), "Mend the expression.");
    } catch (AnalysisException e) {
      return new Refused(unresolved(e));
    } catch (RuntimeException e) {
      // Some checks of the analyzer throw exceptions of other kinds.
      return new Refused(
          "cannot be resolved: " + SparkMessage.firstLine(e), "Mend the expression.");
    }
  }

  private static Checked checkAnalyzed(LogicalPlan plan) {
    if (!(plan instanceof Project project && project.child() instanceof LocalRelation)) {
      return new Refused(
          "is not one value from one event",
          "Leave aggregates, time windows and row generators out.");
    }
    Optional<Refusal> refusal = ValueRules.refusal((Expression) project.projectList().head());
    if (refusal.isPresent()) {
      return new Refused(refusal.get());
    }
    DataType type = project.output().head().dataType();
    return type.existsRecursively(part -> part instanceof NullType)
        ? new Refused("is always null, so it has no type", "Cast it, e.g. CAST(NULL AS STRING).")
        : new Typed(type);
  }

  private Refusal unresolved(AnalysisException e) {
    if (!String.valueOf(e.getCondition()).startsWith("UNRESOLVED_COLUMN")) {
      return new Refusal(
          "cannot be resolved: " + SparkMessage.firstLine(e), "Mend the expression.");
    }
    String quoted = Objects.requireNonNullElse(e.getMessageParameters().get("objectName"), "");
    String name = quoted.replace("`", "");
    return new Refusal(
        "names the unknown column " + name,
        NearestName.remedy(name, "Known columns", List.of(columns.fieldNames())));
  }
}
