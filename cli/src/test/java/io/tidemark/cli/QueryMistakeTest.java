package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.spec.error.SpecException;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("spark")
class QueryMistakeTest {

  private final SparkSession spark =
      SessionFactory.open(
          "test", Map.of("spark.master", "local[2]", "spark.sql.shuffle.partitions", "1"));

  private Exception failureOf(String query) {
    return catchThrowableOfType(Exception.class, () -> spark.sql(query).collectAsList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT clicks FROM VALUES (1) AS t(n) | UNRESOLVED_COLUMN",
        "SELECT * FROM no_such_table | TABLE_OR_VIEW_NOT_FOUND",
        "SELECT no_such_function(1) | UNRESOLVED_ROUTINE",
        "SELECT (SELECT n FROM VALUES (1), (2) AS t(n)) | SCALAR_SUBQUERY_TOO_MANY_ROWS",
        "SELECT n / 0 FROM VALUES (1) AS t(n) | DIVIDE_BY_ZERO",
        "SELECT CAST(n AS INT) FROM VALUES ('x') AS t(n) | CAST_INVALID_INPUT",
      })
  void aQueryThatIsWrongIsSaidInOneLine(String query, String condition) {
    SpecException mistake = QueryMistake.in(failureOf(query)).orElseThrow();

    assertThat(mistake.exitCode()).isEqualTo(2);
    assertThat(mistake).hasMessageStartingWith("Cannot run the query: [" + condition);
    assertThat(mistake.getMessage()).doesNotContain("Project [");
  }

  @Test
  void whatFailsOtherwiseIsNoMistake() {
    assertThat(QueryMistake.in(failureOf("SELECT * FROM parquet.`/no/such/folder`")))
        .as("a path in the query is the query's")
        .isPresent();
    assertThat(QueryMistake.in(new IllegalStateException("no room on the disk"))).isEmpty();
  }
}
