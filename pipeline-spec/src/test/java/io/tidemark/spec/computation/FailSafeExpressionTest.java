package io.tidemark.spec.computation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class FailSafeExpressionTest {

  private final SparkSession spark = TestSession.shared();
  private final Dataset<Row> event =
      spark.sql(
          """
          SELECT 0 AS zero, 2147483647 AS most, 9223372036854775807L AS most_long, 'x' AS text,
            array(1) AS list, map('a', 1) AS pairs
          FROM range(1)""");

  @Test
  void whatWouldRaiseAnErrorIsNull() {
    List<String> expressions =
        List.of(
            "1 / zero",
            "1 % zero",
            "1 div zero",
            "most + 1",
            "-most - 2",
            "most_long * 2",
            "CAST(most_long AS INT)",
            "CAST(text AS INT)",
            "CAST(text AS TIMESTAMP)",
            "CAST(123.45 AS DECIMAL(3, 2))",
            "list[1]",
            "element_at(list, 2)",
            "to_timestamp(text, 'yyyy-MM-dd')",
            "upper(text) || CAST(1 / zero AS STRING)",
            "if(1 / zero > 0, 'some', 'none')");
    Column[] columns =
        expressions.stream().map(e -> FailSafeExpression.of(e).as(e)).toArray(Column[]::new);

    Row values = event.select(columns).head();

    for (int i = 0; i < expressions.size(); i++) {
      assertThat(values.get(i)).as(expressions.get(i)).isNull();
    }
  }

  @Test
  void anythingElseKeepsItsValueAndType() {
    Dataset<Row> value = event.select(FailSafeExpression.of("most - 1").as("v"));

    assertThat(value.schema().simpleString()).isEqualTo("struct<v:int>");
    assertThat(value.toJSON().collectAsList()).containsExactly("{\"v\":2147483646}");
  }

  @Test
  void aConditionThatRaisesAnErrorIsNotTrue() {
    assertThat(event.filter(FailSafeExpression.of("1 / zero > 0")).count()).isZero();
    assertThat(event.filter(FailSafeExpression.of("zero = 0")).count()).isEqualTo(1);
  }
}
