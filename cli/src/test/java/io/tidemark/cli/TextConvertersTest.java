package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class TextConvertersTest {

  @ParameterizedTest
  @CsvSource({
    "2026-03-01,           2026-03-01T00:00:00Z",
    "2026-03-01T12:00:00Z, 2026-03-01T12:00:00Z",
    "2026-03-01T12:00:00.5Z, 2026-03-01T12:00:00.500Z",
    "2026-03-01T12:00:00+01:00, 2026-03-01T11:00:00Z",
  })
  void aTimeIsAnInstantOrTheStartOfADay(String text, Instant instant) {
    assertThat(TextConverters.instant(text)).isEqualTo(instant);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "yesterday", "2026-02-30", "2026-3-1", "01.03.2026", "2026-03-01T12:00:00"})
  void aTimeWithoutAZoneOrADayThatIsNoneIsRefused(String text) {
    assertThatThrownBy(() -> TextConverters.instant(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("'" + text + "' is no time: write 2026-03-01 or 2026-03-01T12:00:00Z");
  }

  @Test
  void aDurationIsANumberAndAUnit() {
    assertThat(TextConverters.duration("90s")).isEqualTo(Duration.ofSeconds(90));
    assertThat(TextConverters.duration("500ms")).isEqualTo(Duration.ofMillis(500));
    assertThatThrownBy(() -> TextConverters.duration("5 minutes"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("'5 minutes' is no duration: write for example 500ms, 90s, 10m, 2h or 1d");
  }
}
