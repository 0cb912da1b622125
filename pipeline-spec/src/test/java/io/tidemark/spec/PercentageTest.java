package io.tidemark.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentageTest {

  @ParameterizedTest
  @CsvSource({"5%, 5%", "0.50%, 0.5%", "100 %, 100%", "0%, 0%", "007%, 7%"})
  void readsANumberAndItsSign(String text, String canonical) {
    assertThat(Percentage.parse(text).map(Percentage::toString)).contains(canonical);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "%", "-5%", "5.%", ".5%", "5e2%", "5%%", "٣%", "1234567%"})
  void refusesWhatIsNone(String text) {
    assertThat(Percentage.parse(text)).isEmpty();
  }

  @Test
  void theLimitItselfIsWithinTheLimit() {
    for (int percent = 0; percent <= 100; percent++) {
      Percentage limit = new Percentage(BigDecimal.valueOf(percent));
      assertThat(limit.isExceededBy(percent / 100.0)).as("%s", limit).isFalse();
      assertThat(limit.isExceededBy((percent + 1) / 100.0)).as("%s", limit).isTrue();
    }
  }

  @Test
  void isNotNegative() {
    assertThatThrownBy(() -> new Percentage(BigDecimal.valueOf(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("percentage is negative: -1");
  }
}
