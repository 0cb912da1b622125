package io.tidemark.spec.expression;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.CurrentCatalog;
import org.apache.spark.sql.catalyst.expressions.CurrentDatabase;
import org.apache.spark.sql.catalyst.expressions.CurrentDate;
import org.apache.spark.sql.catalyst.expressions.CurrentTime;
import org.apache.spark.sql.catalyst.expressions.CurrentTimeZone;
import org.apache.spark.sql.catalyst.expressions.CurrentTimestampLike;
import org.apache.spark.sql.catalyst.expressions.CurrentUser;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InputFileBlockLength;
import org.apache.spark.sql.catalyst.expressions.InputFileBlockStart;
import org.apache.spark.sql.catalyst.expressions.InputFileName;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.LocalTimestamp;
import org.apache.spark.sql.catalyst.expressions.RaiseError;
import org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable;
import org.apache.spark.sql.catalyst.expressions.SparkVersion;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import scala.jdk.javaapi.CollectionConverters;

/** What is refused once an expression is resolved: its value must depend on the event alone. */
final class ValueRules {

  private static final Set<String> CLOCK_WORDS = Set.of("now", "today", "tomorrow", "yesterday");

  private ValueRules() {}

  static Optional<Refusal> refusal(Expression resolved) {
    Optional<Refusal> inside = parts(resolved).flatMap(part -> refusal(part).stream()).findFirst();
    return inside.or(() -> ofPart(resolved));
  }

  static Refusal clock(String what) {
    return new Refusal(
        "depends on the clock: " + what,
        "A recount would give another value. Compute it from the event's own columns.");
  }

  private static Stream<Expression> parts(Expression expression) {
    Stream<Expression> children = CollectionConverters.asJava(expression.children()).stream();
    return expression instanceof RuntimeReplaceable replaceable
        ? Stream.concat(children, Stream.of(replaceable.replacement()))
        : children;
  }

  private static Optional<Refusal> ofPart(Expression part) {
    if (isClock(part)) {
      return Optional.of(clock(part.prettyName()));
    }
    if (isEnvironment(part)) {
      return Optional.of(
          new Refusal(
              "depends on where it runs: " + part.prettyName().toLowerCase(Locale.ROOT),
              "A recount would give another value. Compute it from the event's own columns."));
    }
    if (part instanceof RaiseError) {
      return Optional.of(
          new Refusal("can raise an error, which counts as null", "Use the filter instead."));
    }
    if (!part.deterministic()) {
      return Optional.of(
          new Refusal(
              "is not deterministic: " + part.prettyName().toLowerCase(Locale.ROOT),
              "A recount would give another value. Compute it from the event's own columns, for"
                  + " example with xxhash64."));
    }
    return Optional.empty();
  }

  private static boolean isClock(Expression part) {
    return part instanceof CurrentTimestampLike
        || part instanceof CurrentDate
        || part instanceof CurrentTime
        || part instanceof LocalTimestamp
        || (part instanceof Cast cast && isClockWord(cast));
  }

  /** Spark's optimizer replaces {@code CAST('now' AS TIMESTAMP)}, also where it is implicit. */
  private static boolean isClockWord(Cast cast) {
    boolean toTime =
        cast.dataType() instanceof DateType
            || cast.dataType() instanceof TimestampType
            || cast.dataType() instanceof TimestampNTZType;
    return toTime
        && cast.child() instanceof Literal literal
        && literal.dataType().equals(DataTypes.StringType)
        && literal.value() != null
        && CLOCK_WORDS.contains(firstWord(literal.value().toString()));
  }

  private static String firstWord(String text) {
    String stripped = text.strip().toLowerCase(Locale.ROOT);
    int space = stripped.indexOf(' ');
    return space < 0 ? stripped : stripped.substring(0, space);
  }

  private static boolean isEnvironment(Expression part) {
    return part instanceof CurrentUser
        || part instanceof CurrentDatabase
        || part instanceof CurrentCatalog
        || part instanceof CurrentTimeZone
        || part instanceof SparkVersion
        || part instanceof InputFileName
        || part instanceof InputFileBlockStart
        || part instanceof InputFileBlockLength;
  }
}
