package io.tidemark.reconcile.maintain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.time.PartitionUnit;
import io.tidemark.tables.PartitionFiles;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompactionPlannerTest {

  private static final PartitionFiles MARCH_1 = day("2026-03-01", 5);
  private static final PartitionFiles MARCH_2 = day("2026-03-02", 5);
  private static final PartitionFiles MARCH_3 = day("2026-03-03", 5);
  private static final PartitionFiles NO_DAY =
      new PartitionFiles(Optional.of("`day` IS NULL"), Optional.empty(), 5, 5, 500);

  private static PartitionFiles day(String day, long smallFiles) {
    return files("`day` = DATE'" + day + "'", day + "T00:00:00Z", smallFiles);
  }

  private static PartitionFiles files(String condition, String start, long smallFiles) {
    return new PartitionFiles(
        Optional.of(condition), Optional.of(Instant.parse(start)), smallFiles + 2, smallFiles, 500);
  }

  private static CompactionPlanner planner(String settledThrough, String frontier) {
    return new CompactionPlanner(
        PartitionUnit.DAY,
        Optional.of(Instant.parse(settledThrough)),
        Optional.of(Instant.parse(frontier)));
  }

  @Test
  void ofTheAggregatesWhatIsSettledIsCompacted() {
    assertThat(
            planner("2026-03-03T00:00:00Z", "2026-03-04T12:00:00Z")
                .ofAggregates(List.of(MARCH_1, MARCH_2, MARCH_3)))
        .containsExactly(MARCH_1, MARCH_2);
  }

  @Test
  void ofTheArchiveDaysBeforeTheFrontiersAreCompactedAndRecordsWithoutOne() {
    assertThat(
            planner("2026-03-01T00:00:00Z", "2026-03-03T23:59:59Z")
                .ofArchive(List.of(NO_DAY, MARCH_1, MARCH_2, MARCH_3)))
        .containsExactly(NO_DAY, MARCH_1, MARCH_2);
    assertThat(planner("2026-03-01T00:00:00Z", "2026-03-04T00:00:00Z").ofArchive(List.of(MARCH_3)))
        .containsExactly(MARCH_3);
  }

  @Test
  void aHandfulOfSmallFilesStaysHoweverManyLargeOnesThereAre() {
    CompactionPlanner planner = planner("2026-03-09T00:00:00Z", "2026-03-09T00:00:00Z");
    PartitionFiles few = day("2026-03-01", CompactionPlanner.HANDFUL);

    assertThat(planner.ofAggregates(List.of(few))).isEmpty();
    assertThat(planner.ofArchive(List.of(few))).isEmpty();
    assertThat(planner.ofJournal(List.of(few))).isEmpty();
    assertThat(planner.ofJournal(List.of(MARCH_1))).containsExactly(MARCH_1);
  }

  @Test
  void withoutASettlementOrAFrontierNothingOfTheirsIsCompacted() {
    CompactionPlanner planner =
        new CompactionPlanner(PartitionUnit.DAY, Optional.empty(), Optional.empty());

    assertThat(planner.ofAggregates(List.of(MARCH_1))).isEmpty();
    assertThat(planner.ofArchive(List.of(NO_DAY, MARCH_1))).containsExactly(NO_DAY);
  }

  @Test
  void settledHoursAreCompactedByTheHour() {
    PartitionFiles eleven = files("`hour` = 11", "2026-03-01T11:00:00Z", 5);
    PartitionFiles noon = files("`hour` = 12", "2026-03-01T12:00:00Z", 5);

    assertThat(
            new CompactionPlanner(
                    PartitionUnit.HOUR,
                    Optional.of(Instant.parse("2026-03-01T12:00:00Z")),
                    Optional.empty())
                .ofAggregates(List.of(eleven, noon)))
        .containsExactly(eleven);
  }
}
