package io.tidemark.spec.parse;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.Measure;
import io.tidemark.spec.error.NearestName;
import io.tidemark.spec.expression.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.types.DataType;

/** Reads the section {@code measures}. */
final class MeasuresReader {

  private static final List<String> FUNCTIONS =
      List.of("count", "sum", "min", "max", "avg", "approx-distinct");

  private final ExpressionReader expressions;
  private final StoredNames names;

  /**
   * @param columns of the event and derived
   * @param names with those of the keys
   */
  MeasuresReader(Columns columns, StoredNames names) {
    this.expressions = new ExpressionReader(columns);
    this.names = names;
  }

  List<Measure> read(YamlValue value) {
    List<Measure> measures = new ArrayList<>();
    value
        .namedValues()
        .orElse(Map.of())
        .forEach((name, text) -> measure(name, text).ifPresent(measures::add));
    return measures;
  }

  private Optional<Measure> measure(String name, YamlValue value) {
    Optional<Refusal> badName = Columns.refusedName(name);
    badName.ifPresent(value::refuse);
    Optional<String> text = value.text();
    Optional<MeasureText> call = text.flatMap(MeasureText::parse);
    if (text.isPresent() && call.isEmpty()) {
      value.refuse(
          "'" + text.get() + "' is not one function of one expression",
          "Compute on the events, e.g. sum(a + b), or on the measures in a view on top.");
    }
    if (badName.isPresent() || call.isEmpty()) {
      return Optional.empty();
    }
    Optional<Measure> measure = measure(new ColumnName(name), value, call.get());
    measure.ifPresent(m -> takeNames(value, m));
    return measure;
  }

  private Optional<Measure> measure(ColumnName name, YamlValue value, MeasureText call) {
    String function = call.function().toLowerCase(Locale.ROOT);
    String argument = call.argument().orElse("");
    if (!FUNCTIONS.contains(function)) {
      value.refuse(
          "'" + call.function() + "' is not a function of measures",
          NearestName.remedy(function.replace('_', '-'), "Known functions", FUNCTIONS));
      return Optional.empty();
    }
    if (function.equals("count") && (call.argument().isEmpty() || argument.equals("*"))) {
      return Optional.of(new Measure.Count(name, Optional.empty()));
    }
    if (argument.isEmpty()) {
      value.refuse(function + " needs an expression", "Write for example " + function + "(cost).");
      return Optional.empty();
    }
    if (argument.matches("(?is)distinct\\b.*")) {
      value.refuse(
          "'"
              + function
              + "("
              + argument
              + ")' is not possible: an exact count of distinct values"
              + " cannot be merged",
          "Write approx-distinct(" + argument.substring("distinct".length()).strip() + ").");
      return Optional.empty();
    }
    return expressions
        .type(value, argument)
        .flatMap(type -> typed(name, value, function, new TypedExpression(argument, type)));
  }

  private static Optional<Measure> typed(
      ColumnName name, YamlValue value, String function, TypedExpression expression) {
    String sql = expression.sql();
    DataType type = expression.type();
    Optional<Refusal> refusal = refusal(function, type);
    if (refusal.isPresent()) {
      value.refuse("'" + sql + "' " + refusal.get().what(), refusal.get().remedy());
      return Optional.empty();
    }
    if ((function.equals("sum") || function.equals("avg")) && TypeRules.isFloatingPoint(type)) {
      value.warn(
          "'"
              + sql
              + "' is "
              + type.sql()
              + ", whose sum depends on the order of addition: stream"
              + " and recount may differ in the last digits",
          "Cast it to a DECIMAL for exact sums, e.g. CAST(" + sql + " AS DECIMAL(28,6)).");
    }
    return Optional.of(
        switch (function) {
          case "sum" -> new Measure.Sum(name, sql, type);
          case "min" -> new Measure.Min(name, sql, type);
          case "max" -> new Measure.Max(name, sql, type);
          case "avg" -> new Measure.Avg(name, sql, type);
          case "approx-distinct" -> new Measure.ApproxDistinct(name, sql, type);
          default -> new Measure.Count(name, Optional.of(sql));
        });
  }

  private static Optional<Refusal> refusal(String function, DataType type) {
    return switch (function) {
      case "sum", "avg" -> TypeRules.sum(type);
      case "min", "max" -> TypeRules.minMax(type);
      case "approx-distinct" -> TypeRules.approxDistinct(type);
      default -> Optional.empty();
    };
  }

  private void takeNames(YamlValue value, Measure measure) {
    String name = measure.name().value();
    for (String stored : storedNames(measure)) {
      names.take(stored, "the measure " + name, "Rename the measure.").ifPresent(value::refuse);
    }
  }

  private static List<String> storedNames(Measure measure) {
    String name = measure.name().value();
    if (measure instanceof Measure.Avg) {
      return List.of(name, name + "_sum", name + "_count");
    }
    return measure instanceof Measure.ApproxDistinct
        ? List.of(name, name + "_sketch")
        : List.of(name);
  }
}
