package io.tidemark.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.time.PartitionUnit;
import java.time.Instant;
import java.util.Arrays;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MergeScopeTest {

  private static final Instant FIRST = Instant.parse("2026-03-01T23:55:00Z");
  private static final Instant LAST = Instant.parse("2026-03-03T00:00:00.001Z");

  private static NavigableSet<Instant> partitions(String... starts) {
    NavigableSet<Instant> partitions = new TreeSet<>();
    Arrays.stream(starts).map(Instant::parse).forEach(partitions::add);
    return partitions;
  }

  @Test
  void daysAreDateLiteralsInOrder() {
    MergeScope scope =
        new MergeScope(
            PartitionUnit.DAY,
            partitions("2026-03-03T00:00:00Z", "2026-03-01T00:00:00Z"),
            FIRST,
            LAST);

    assertThat(scope.predicate())
        .isEqualTo(
            """
            t.`window_date` IN (DATE'2026-03-01', DATE'2026-03-03')
              AND t.`window_start` >= TIMESTAMP'2026-03-01 23:55:00.000000Z'
              AND t.`window_start` <= TIMESTAMP'2026-03-03 00:00:00.001000Z'""");
  }

  @Test
  void hoursAreTimestampLiterals() {
    MergeScope scope =
        new MergeScope(
            PartitionUnit.HOUR,
            partitions("2026-03-01T23:00:00Z", "2026-03-02T00:00:00Z"),
            FIRST,
            FIRST);

    assertThat(scope.predicate())
        .isEqualTo(
            """
            t.`window_hour` IN (TIMESTAMP'2026-03-01 23:00:00.000000Z', TIMESTAMP'2026-03-02 00:00:00.000000Z')
              AND t.`window_start` >= TIMESTAMP'2026-03-01 23:55:00.000000Z'
              AND t.`window_start` <= TIMESTAMP'2026-03-01 23:55:00.000000Z'""");
  }

  @Test
  void aScopeThatHoldsNothingIsRefused() {
    assertThatThrownBy(() -> new MergeScope(PartitionUnit.DAY, partitions(), FIRST, LAST))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a merge scope needs a partition");
    assertThatThrownBy(
            () ->
                new MergeScope(PartitionUnit.DAY, partitions("2026-03-01T00:00:00Z"), LAST, FIRST))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "merge scope ends before it begins: 2026-03-03T00:00:00.001Z to 2026-03-01T23:55:00Z");
  }
}
