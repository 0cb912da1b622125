package io.tidemark.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.WindowSpec.Hopping;
import io.tidemark.spec.WindowSpec.Tumbling;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowSpecTest {

  @Test
  void tumblingWindowsLieSideBySide() {
    WindowSpec window = new Tumbling(Duration.ofMinutes(1));

    assertThat(window.slide()).isEqualTo(Duration.ofMinutes(1));
    assertThat(window.windowsPerEvent()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"PT10M, PT5M, 2", "PT10M, PT3M, 4", "PT10M, PT10M, 1", "PT10M, PT1M, 10"})
  void anEventIsInAsManyWindowsAsBeginWithinOneSize(Duration size, Duration slide, long windows) {
    assertThat(new Hopping(size, slide).windowsPerEvent()).isEqualTo(windows);
  }

  @Test
  void windowsThatCutNoTimeAreRefused() {
    assertThatThrownBy(() -> new Tumbling(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("window size is not positive: PT0S");
    assertThatThrownBy(() -> new Hopping(Duration.ofMinutes(1), Duration.ofMinutes(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("window slide is not positive: PT-1M");
    assertThatThrownBy(() -> new Tumbling(Duration.ofNanos(1_500_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("window size is not a whole number of milliseconds: PT0.0015S");
  }

  @Test
  void aSlideThatLeavesGapsIsRefused() {
    assertThatThrownBy(() -> new Hopping(Duration.ofMinutes(5), Duration.ofMinutes(6)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("slide PT6M is longer than size PT5M: events between would be lost");
  }

  @Test
  void anEventIsInLaterWindowsOnlyOnceTheEarlierOnesHaveEnded() {
    Instant noon = Instant.parse("2026-03-01T12:00:00Z");

    assertThat(new WindowSpec.Tumbling(Duration.ofHours(1)).startingOnlyFrom(noon)).isEqualTo(noon);
    assertThat(new WindowSpec.Tumbling(Duration.ofHours(5)).startingOnlyFrom(noon))
        .as("windows of 5 hours start at 08:00 and 13:00")
        .isEqualTo("2026-03-01T13:00:00Z");
    assertThat(
            new WindowSpec.Hopping(Duration.ofMinutes(10), Duration.ofMinutes(5))
                .startingOnlyFrom(noon))
        .isEqualTo("2026-03-01T12:05:00Z");
    assertThat(
            new WindowSpec.Hopping(Duration.ofMinutes(7), Duration.ofMinutes(5))
                .startingOnlyFrom(noon))
        .as("[11:55, 12:02) ends then")
        .isEqualTo("2026-03-01T12:02:00Z");
  }

  @Test
  void theFirstWindowThatEndsAfterABoundaryStartsAtItWhereWindowsTile() {
    Instant midnight = Instant.parse("2026-03-02T00:00:00Z");

    assertThat(new WindowSpec.Tumbling(Duration.ofHours(1)).firstStartOfEndAfter(midnight))
        .isEqualTo(midnight);
    assertThat(
            new WindowSpec.Hopping(Duration.ofMinutes(10), Duration.ofMinutes(5))
                .firstStartOfEndAfter(midnight))
        .isEqualTo("2026-03-01T23:55:00Z");
    assertThat(
            new WindowSpec.Hopping(Duration.ofMinutes(7), Duration.ofMinutes(5))
                .firstStartOfEndAfter(midnight))
        .as("[23:55, 00:02), since [23:50, 23:57) ends before")
        .isEqualTo("2026-03-01T23:55:00Z");
    assertThat(
            new WindowSpec.Tumbling(Duration.ofMinutes(7))
                .firstStartOfEndAfter(Instant.ofEpochSecond(-1)))
        .isEqualTo(Instant.ofEpochSecond(-420));
  }
}
