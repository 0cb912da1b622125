package io.tidemark.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlLiteralTest {

  @Test
  void anInstantKeepsItsMicrosecondsAndSaysItsZone() {
    assertThat(SqlLiteral.of(Instant.parse("2026-03-01T10:00:00.000001Z")))
        .isEqualTo("TIMESTAMP'2026-03-01 10:00:00.000001Z'");
  }

  @Test
  void aDateIsADay() {
    assertThat(SqlLiteral.of(LocalDate.parse("2026-03-01"))).isEqualTo("DATE'2026-03-01'");
  }

  @Test
  void aDurationIsInSeconds() {
    assertThat(SqlLiteral.of(Duration.ofMillis(90_007))).isEqualTo("INTERVAL '90.007' SECOND");
    assertThat(SqlLiteral.of(Duration.ofDays(30))).isEqualTo("INTERVAL '2592000.000' SECOND");
    assertThat(SqlLiteral.of(Duration.ZERO)).isEqualTo("INTERVAL '0.000' SECOND");
  }

  @Test
  void quotesAndBackslashesAreEscaped() {
    assertThat(SqlLiteral.of("it's 'a' \\ \"b\"")).isEqualTo("'it\\'s \\'a\\' \\\\ \"b\"'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plain",
        "it's",
        "''",
        "\\",
        "\\'",
        "'; DROP TABLE clicks; --",
        "line\nbreak\ttab",
        "100% _ \\% \\_",
        "größer 😀",
        "\\u0041 \\101",
      })
  void sparkReadsBackTheTextThatWasMeant(String text) {
    Object value =
        ((org.apache.spark.sql.catalyst.expressions.Literal)
                new CatalystSqlParser().parseExpression(SqlLiteral.of(text)))
            .value();

    assertThat(value).hasToString(text);
  }
}
