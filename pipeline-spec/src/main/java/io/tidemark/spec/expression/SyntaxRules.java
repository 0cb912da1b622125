package io.tidemark.spec.expression;

import io.tidemark.spec.error.NearestName;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.analysis.Star;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.expressions.UnresolvedWindowExpression;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import scala.jdk.javaapi.CollectionConverters;

/** What is refused as soon as an expression is parsed, before its names are resolved. */
final class SyntaxRules {

  /** {@code TIMESTAMP 'now'} becomes a plain literal in the parser: only the text shows it. */
  private static final Pattern CLOCK_LITERAL =
      Pattern.compile(
          "(?i)\\b(date|timestamp|timestamp_ntz|timestamp_ltz)\\s*['\"]\\s*"
              + "(now|today|tomorrow|yesterday)\\b");

  private SyntaxRules() {}

  static Optional<Refusal> refusal(String sql, Expression parsed) {
    if (CLOCK_LITERAL.matcher(sql).find()) {
      return Optional.of(ValueRules.clock("the current date or time"));
    }
    if (parsed instanceof Alias alias) {
      return Optional.of(
          new Refusal("has a name of its own: AS " + alias.name(), "Leave the AS part out."));
    }
    if (parsed instanceof Star) {
      return Optional.of(new Refusal("stands for all columns", "Name one column."));
    }
    return part(parsed);
  }

  private static Optional<Refusal> part(Expression part) {
    if (part instanceof SubqueryExpression) {
      return Optional.of(
          new Refusal(
              "holds a subquery, whose result may change between stream and recount",
              "Join in a view on top."));
    }
    if (part instanceof WindowExpression || part instanceof UnresolvedWindowExpression) {
      return Optional.of(windowFunction("OVER"));
    }
    Optional<Refusal> own =
        part instanceof UnresolvedFunction function ? function(function) : Optional.empty();
    return own.or(
        () ->
            CollectionConverters.asJava(part.children()).stream()
                .flatMap(child -> part(child).stream())
                .findFirst());
  }

  private static Optional<Refusal> function(UnresolvedFunction function) {
    List<String> parts = CollectionConverters.asJava(function.nameParts());
    String name = String.join(".", parts);
    return Catalyst.function(name)
        .map(info -> ofGroup(name, info.getGroup()))
        .orElseGet(
            () ->
                Optional.of(
                    new Refusal(
                        "calls the unknown function " + name,
                        NearestName.of(name, Catalyst.functionNames())
                            .map(nearest -> "Did you mean " + nearest + "?")
                            .orElse("Use a function that is built into Spark SQL."))));
  }

  private static Optional<Refusal> ofGroup(String name, String group) {
    return switch (group) {
      case "agg_funcs" ->
          Optional.of(
              new Refusal(
                  "aggregates with " + name + ", but must be computed from one event",
                  "Put aggregates under measures, with one of the functions known there."));
      case "window_funcs" -> Optional.of(windowFunction(name));
      case "generator_funcs" ->
          Optional.of(
              new Refusal(
                  "makes several rows of one event with " + name,
                  "Split records before they are written to the source."));
      default -> Optional.empty();
    };
  }

  private static Refusal windowFunction(String name) {
    return new Refusal(
        "looks at other events with the window function " + name,
        "Use window functions in a view on top.");
  }
}
