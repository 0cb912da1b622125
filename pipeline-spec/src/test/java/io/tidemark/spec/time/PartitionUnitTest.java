package io.tidemark.spec.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionUnitTest {

  @ParameterizedTest
  @CsvSource({
    "2026-03-01T23:50:00Z, 2026-03-01T00:00:00Z",
    "2026-03-02T00:00:00Z, 2026-03-01T00:00:00Z", // [23:50, 00:00) still lies in the first day
    "2026-03-02T00:00:00.001Z, 2026-03-02T00:00:00Z",
    "2026-03-02T00:05:00Z, 2026-03-02T00:00:00Z", // [23:55, 00:05) lies in the second
    "2026-03-03T00:00:00Z, 2026-03-02T00:00:00Z",
  })
  void aWindowLiesInTheDayOfItsLastMicrosecond(Instant windowEnd, Instant day) {
    assertThat(PartitionUnit.DAY.partitionOf(windowEnd)).isEqualTo(day);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-01T10:00:00Z, 2026-03-01T09:00:00Z",
    "2026-03-01T10:00:01Z, 2026-03-01T10:00:00Z",
    "2026-03-02T00:00:00Z, 2026-03-01T23:00:00Z",
  })
  void aWindowLiesInTheHourOfItsLastMicrosecond(Instant windowEnd, Instant hour) {
    assertThat(PartitionUnit.HOUR.partitionOf(windowEnd)).isEqualTo(hour);
  }

  /** Hopping windows of 10 minutes every 5, across midnight, and one of 7 minutes every 3. */
  @ParameterizedTest
  @CsvSource({
    "2026-03-01T23:55:00Z, AT_OR_BEFORE",
    "2026-03-02T00:00:00Z, AT_OR_BEFORE",
    "2026-03-02T00:05:00Z, AFTER",
    "2026-03-02T00:10:00Z, AFTER",
    "2026-03-01T23:59:00Z, AT_OR_BEFORE",
    "2026-03-02T00:02:00Z, AFTER",
  })
  void windowsThatEndAfterABoundaryShareNoPartitionWithThoseBefore(Instant windowEnd, Side side) {
    Instant boundary = PartitionUnit.DAY.floor(Instant.parse("2026-03-02T00:03:00Z"));

    assertThat(PartitionUnit.DAY.partitionOf(windowEnd).isBefore(boundary))
        .isEqualTo(side == Side.AT_OR_BEFORE);
  }

  private enum Side {
    AT_OR_BEFORE,
    AFTER
  }

  @Test
  void theFloorOfABoundaryIsItself() {
    Instant midnight = Instant.parse("2026-03-02T00:00:00Z");

    assertThat(PartitionUnit.DAY.floor(midnight)).isEqualTo(midnight);
    assertThat(PartitionUnit.DAY.floor(midnight.minusMillis(1))).isEqualTo("2026-03-01T00:00:00Z");
    assertThat(PartitionUnit.HOUR.floor(midnight)).isEqualTo(midnight);
    assertThat(PartitionUnit.HOUR.floor(midnight.minusMillis(1))).isEqualTo("2026-03-01T23:00:00Z");
  }

  @Test
  void eachUnitHasAColumnAndALength() {
    assertThat(PartitionUnit.DAY.columnName()).isEqualTo("window_date");
    assertThat(PartitionUnit.DAY.length()).isEqualTo(Duration.ofHours(24));
    assertThat(PartitionUnit.HOUR.columnName()).isEqualTo("window_hour");
    assertThat(PartitionUnit.HOUR.length()).isEqualTo(Duration.ofHours(1));
  }
}
