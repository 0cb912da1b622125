package io.tidemark.spec.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.expression.Checked.Refused;
import io.tidemark.spec.expression.Checked.Typed;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionCheckerTest {

  private final ExpressionChecker checker =
      new ExpressionChecker(
          StructType.fromDDL(
              "click_id STRING, clicked_at TIMESTAMP, cost BIGINT, place STRUCT<city: STRING>,"
                  + " tags ARRAY<INT>"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cost + 1                                     | bigint",
        "COST / 2                                     | double",
        "hour(clicked_at)                             | int",
        "date_trunc('hour', clicked_at)               | timestamp",
        "place.city = 'now'                           | boolean",
        "transform(tags, tag -> tag + cost)           | array<bigint>",
        "CASE WHEN cost > 1 THEN 'dear' END           | string",
        "try_cast(click_id AS DECIMAL(10, 2))         | decimal(10,2)",
        "clicked_at > TIMESTAMP '2026-01-01 00:00:00' | boolean",
        "xxhash64(click_id)                           | bigint",
        "coalesce(NULL, cost)                         | bigint",
      })
  void typesAnExpressionOfOneEvent(String sql, String type) {
    assertThat(checker.check(sql))
        .isInstanceOfSatisfying(
            Typed.class, typed -> assertThat(typed.type().catalogString()).isEqualTo(type));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "now()",
        "current_timestamp",
        "current_date()",
        "curdate()",
        "current_time()",
        "localtimestamp()",
        "unix_timestamp()",
        "clicked_at > current_timestamp() - INTERVAL 1 DAY",
        "TIMESTAMP 'now'",
        "date\"today\"",
        "clicked_at < 'tomorrow'",
        "CAST(' Now UTC' AS TIMESTAMP)",
        "to_date('yesterday')",
      })
  void refusesTheClock(String sql) {
    assertThat(whatIsWrongWith(sql)).startsWith("depends on the clock: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "current_user",
        "user()",
        "session_user()",
        "current_database()",
        "current_schema()",
        "current_catalog()",
        "current_timezone()",
        "version()",
      })
  void refusesTheEnvironment(String sql) {
    assertThat(whatIsWrongWith(sql)).startsWith("depends on where it runs: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rand()",
        "rand(42)",
        "randn()",
        "uuid()",
        "shuffle(tags)",
        "randstr(3)",
        "uniform(1, 10, 3)",
        "spark_partition_id()",
        "monotonically_increasing_id()",
        "java_method('java.util.UUID', 'randomUUID')",
        "CASE WHEN cost > 0 THEN rand() END",
        "input_file_name()",
      })
  void refusesWhatIsNotDeterministic(String sql) {
    assertThat(whatIsWrongWith(sql))
        .matches("(is not deterministic|depends on where it runs): [a-z_0-9]+");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(SELECT 1)                         | holds a subquery",
        "cost IN (SELECT 2)                 | holds a subquery",
        "EXISTS (SELECT 1)                  | holds a subquery",
        "sum(cost)                          | aggregates with sum",
        "1 + count(*)                       | aggregates with count",
        "rank() OVER (ORDER BY cost)        | looks at other events",
        "sum(cost) OVER w                   | looks at other events",
        "lag(cost)                          | looks at other events",
        "explode(tags)                      | makes several rows",
        "stack(2, cost, cost)               | makes several rows",
        "window(clicked_at, '1 minute')     | is not one value from one event",
        "session_window(clicked_at, '1 minute') | is not one value from one event",
        "raise_error('no')                  | can raise an error",
        "coalesce(assert_true(cost > 1), 1) | can raise an error",
        "cost AS c                          | has a name of its own: AS c",
        "*                                  | stands for all columns",
        "NULL                               | is always null",
        "array()                            | is always null",
        "place.town                         | cannot be resolved: No such struct field `town` in `city`",
        "hour(tags)                         | cannot be resolved: Cannot resolve \"hour(tags)\"",
        ":p                                 | cannot be resolved",
        "cost;                              | is not a Spark SQL expression",
      })
  void refusesWhatIsNotOneValueOfOneEvent(String sql, String beginning) {
    assertThat(whatIsWrongWith(sql)).startsWith(beginning);
  }

  @Test
  void namesTheNearestColumn() {
    assertThat(checker.check("clickid = 'a'"))
        .isEqualTo(new Refused("names the unknown column clickid", "Did you mean click_id?"));
    assertThat(checker.check("revenue > 1"))
        .isEqualTo(
            new Refused(
                "names the unknown column revenue",
                "Known columns: click_id, clicked_at, cost, place, tags."));
  }

  @Test
  void namesTheNearestFunction() {
    assertThat(checker.check("hourr(clicked_at)"))
        .isEqualTo(new Refused("calls the unknown function hourr", "Did you mean hour?"));
    assertThat(checker.check("ours.geo_lookup(cost)"))
        .isEqualTo(
            new Refused(
                "calls the unknown function ours.geo_lookup",
                "Use a function that is built into Spark SQL."));
  }

  @Test
  void saysWhereTheSyntaxIsWrong() {
    assertThat(checker.check("cost +"))
        .isEqualTo(
            new Refused(
                "is not a Spark SQL expression: Syntax error at or near end of input",
                "Mend the expression."));
  }

  @Test
  void anAddedColumnIsKnown() {
    ExpressionChecker more = checker.with(new ColumnName("hour_of_day"), DataTypes.IntegerType);
    assertThat(more.check("hour_of_day + 1")).isEqualTo(new Typed(DataTypes.IntegerType));
    assertThat(checker.check("hour_of_day + 1")).isInstanceOf(Refused.class);
  }

  @Test
  void severalThreadsMayCheckAtOnce() {
    assertThat(
            IntStream.range(0, 200)
                .parallel()
                .mapToObj(i -> checker.check(i % 2 == 0 ? "cost + " + i : "cots + " + i)))
        .containsOnly(
            new Typed(DataTypes.LongType),
            new Refused("names the unknown column cots", "Did you mean cost?"));
  }

  private String whatIsWrongWith(String sql) {
    return checker.check(sql) instanceof Refused refused
        ? refused.refusal().what()
        : sql + " was not refused";
  }
}
