package io.tidemark.spec.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WindowEndsTest {

  private static final Instant MARCH_1 = Instant.parse("2026-03-01T00:00:00Z");
  private static final Instant MARCH_2 = Instant.parse("2026-03-02T00:00:00Z");

  @Test
  void withoutALowerBoundTheyBeginWithTheFirstWindow() {
    assertThat(WindowEnds.through(MARCH_2)).isEqualTo(new WindowEnds(Optional.empty(), MARCH_2));
  }

  @Test
  void anEmptyRangeIsRefused() {
    assertThatThrownBy(() -> new WindowEnds(Optional.of(MARCH_2), MARCH_2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "window ends are none: after 2026-03-02T00:00:00Z through 2026-03-02T00:00:00Z");
    assertThatThrownBy(() -> new WindowEnds(Optional.of(MARCH_2), MARCH_1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "window ends are none: after 2026-03-02T00:00:00Z through 2026-03-01T00:00:00Z");
  }
}
