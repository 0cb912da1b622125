package io.tidemark.spec.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpecDurationTest {

  @ParameterizedTest
  @CsvSource({"500ms, PT0.5S", "90s, PT90S", "10m, PT10M", "3h, PT3H", "1d, PT24H", "0s, PT0S"})
  void readsANumberAndItsUnit(String text, Duration duration) {
    assertThat(SpecDuration.parse(text)).contains(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10",
        "10 m",
        " 10m",
        "-1s",
        "1.5h",
        "10M",
        "1h30m",
        "m",
        "1w",
        "PT1M",
        "٣s",
        "9223372036854776ms",
        "106751992d",
        "999999999999999999d",
        "9999999999999999999s"
      })
  void anythingElseIsNoDuration(String text) {
    assertThat(SpecDuration.parse(text)).isEmpty();
  }

  @Test
  void writesTheLargestUnitThatDivides() {
    assertThat(SpecDuration.format(Duration.ofMinutes(2))).isEqualTo("2m");
    assertThat(SpecDuration.format(Duration.ofSeconds(90))).isEqualTo("90s");
    assertThat(SpecDuration.format(Duration.ofDays(2))).isEqualTo("2d");
    assertThat(SpecDuration.format(Duration.ofMillis(1500))).isEqualTo("1500ms");
    assertThat(SpecDuration.format(Duration.ZERO)).isEqualTo("0s");
  }

  @Property
  void whatIsWrittenReadsBack(@ForAll @LongRange(min = 0, max = 9_223_372_036_854_775L) long ms) {
    Duration duration = Duration.ofMillis(ms);
    assertThat(SpecDuration.parse(SpecDuration.format(duration))).contains(duration);
  }
}
