package io.tidemark.ingest.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.WindowSpec;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvictionWhenWindowsCloseTest {

  @ParameterizedTest(name = "from {0} to {1}: {2}")
  @CsvSource({
    "12:00:00, 12:00:00, false",
    "12:00:00, 12:00:59.999, false",
    "12:00:00, 12:01:00, true",
    "12:00:59.999, 12:01:00, true",
    "12:00:30, 12:05:30, true",
  })
  void tumblingWindowsCloseEachMinute(String before, String now, boolean closes) {
    assertThat(closes(new WindowSpec.Tumbling(Duration.ofMinutes(1)), before, now))
        .isEqualTo(closes);
  }

  @ParameterizedTest(name = "from {0} to {1}: {2}")
  @CsvSource({
    "12:00:00, 12:01:59.999, false",
    "12:01:59, 12:02:00, true",
    "12:02:00, 12:06:59, false",
    "12:06:59, 12:07:00, true",
  })
  void hoppingWindowsCloseOncePerSlide(String before, String now, boolean closes) {
    // Windows of 7 minutes each 5 minutes: they end at 12:02, 12:07, …
    assertThat(
            closes(
                new WindowSpec.Hopping(Duration.ofMinutes(7), Duration.ofMinutes(5)), before, now))
        .isEqualTo(closes);
  }

  @ParameterizedTest
  @CsvSource({"0", "-9223372036854775808"})
  void beforeTheFirstWatermarkAnyWindowMayClose(long before) {
    assertThat(
            EvictionWhenWindowsClose.closesBetween(
                new WindowSpec.Tumbling(Duration.ofMinutes(1)),
                before,
                Instant.parse("2026-03-01T12:00:00Z").toEpochMilli()))
        .isTrue();
  }

  private static boolean closes(WindowSpec window, String before, String now) {
    return EvictionWhenWindowsClose.closesBetween(window, millis(before), millis(now));
  }

  private static long millis(String time) {
    return Instant.parse("2026-03-01T" + time + "Z").toEpochMilli();
  }
}
