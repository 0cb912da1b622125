package io.tidemark.spec.expression;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.QueryPlanningTracker;
import org.apache.spark.sql.catalyst.analysis.Analyzer;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.analysis.TableFunctionRegistry;
import org.apache.spark.sql.catalyst.catalog.InMemoryCatalog;
import org.apache.spark.sql.catalyst.catalog.SessionCatalog;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;
import scala.Function0;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.OptionConverters;

/**
 * Spark's own parser and analyzer without a session: built-in functions only, no tables, ANSI, UTC.
 * The same for every caller, whatever session is active; safe for use by several threads.
 */
final class Catalyst {

  private static final SQLConf CONF = conf();
  private static final FunctionRegistry FUNCTIONS = FunctionRegistry.builtin().clone();
  private static final Analyzer ANALYZER =
      new Analyzer(
          new SessionCatalog(
              new InMemoryCatalog(new SparkConf(false), new Configuration(false)),
              FUNCTIONS,
              TableFunctionRegistry.builtin().clone(),
              CONF));

  private Catalyst() {}

  /** Runs with our settings in force instead of the active session's. */
  static <T> T withConf(Function0<T> body) {
    return SQLConf.withExistingConf(CONF, body);
  }

  /**
   * @throws ParseException if the text is no SQL expression
   */
  static Expression parse(String sql) throws ParseException {
    return CatalystSqlParser$.MODULE$.parseExpression(sql);
  }

  /**
   * The analyzed {@code SELECT expression} over one relation with these columns.
   *
   * @throws AnalysisException if it cannot be resolved
   */
  static LogicalPlan analyze(Expression expression, StructType columns) throws AnalysisException {
    List<Attribute> attributes =
        Arrays.stream(columns.fields())
            .<Attribute>map(field -> DataTypeUtils.toAttribute(field))
            .toList();
    LogicalPlan relation =
        new LocalRelation(
            seq(attributes),
            LocalRelation.apply$default$2(),
            false,
            LocalRelation.apply$default$4());
    NamedExpression named =
        new Alias(
            expression,
            "value",
            NamedExpression.newExprId(),
            seq(List.of()),
            Option.empty(),
            seq(List.of()));
    LogicalPlan plan = new Project(seq(List.of(named)), relation);
    return ANALYZER.executeAndCheck(plan, new QueryPlanningTracker(Option.empty()));
  }

  static Optional<ExpressionInfo> function(String name) {
    return OptionConverters.toJava(FUNCTIONS.lookupFunction(new FunctionIdentifier(name)));
  }

  static List<String> functionNames() {
    return CollectionConverters.asJava(FUNCTIONS.listFunction()).stream()
        .map(FunctionIdentifier::funcName)
        .sorted()
        .toList();
  }

  private static <T> Seq<T> seq(List<T> list) {
    return CollectionConverters.asScala(list).toList();
  }

  private static SQLConf conf() {
    SQLConf conf = new SQLConf();
    conf.setConfString("spark.sql.ansi.enabled", "true");
    conf.setConfString("spark.sql.session.timeZone", "UTC");
    conf.setConfString("spark.sql.caseSensitive", "false");
    return conf;
  }
}
