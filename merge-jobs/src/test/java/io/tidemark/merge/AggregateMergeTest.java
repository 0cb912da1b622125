package io.tidemark.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.time.PartitionUnit;
import io.tidemark.tables.MergeStatement;
import io.tidemark.tables.MergeStatement.MergeRelations;
import io.tidemark.tables.Upsert;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class AggregateMergeTest {

  private static final MergeScope ONE_DAY =
      new MergeScope(
          PartitionUnit.DAY,
          new TreeSet<>(Set.of(Instant.parse("2026-03-01T00:00:00Z"))),
          Instant.parse("2026-03-01T10:00:00Z"),
          Instant.parse("2026-03-01T10:05:00Z"));
  private static final MergeScope ONE_HOUR =
      new MergeScope(
          PartitionUnit.HOUR,
          new TreeSet<>(Set.of(Instant.parse("2026-03-01T10:00:00Z"))),
          Instant.parse("2026-03-01T10:00:00Z"),
          Instant.parse("2026-03-01T10:05:00Z"));

  private static String sql(MergeStatement statement) {
    return statement.sql().apply(new MergeRelations("delta.`/data/aggregates`", "batch"));
  }

  private static Upsert estimates(PipelineSpec spec, MergeScope scope) {
    return AggregateMerge.ofEstimates(
        spec, scope, 7, Optional.of(Instant.parse("2026-03-01T10:01:00Z")));
  }

  @Test
  void estimatesAreToldApartByWindowAndKeysAndFinishedByTheFrontier() {
    Upsert upsert = estimates(Pipelines.clicksByAd(), ONE_DAY);

    assertThat(upsert.size()).isEqualTo(7);
    assertThat(upsert.identity()).containsExactly("window_start", "ad_id");
    assertThat(upsert.isProtected()).isEqualTo("`version` <> 0");
    assertThat(upsert.isFinished())
        .isEqualTo("`window_end` <= TIMESTAMP'2026-03-01 10:01:00.000000Z'");
    assertThat(upsert.scope()).isEqualTo(ONE_DAY.predicate());
    assertThat(
            AggregateMerge.ofEstimates(Pipelines.clicksByAd(), ONE_DAY, 7, Optional.empty())
                .isFinished())
        .isEqualTo("false");
  }

  @Test
  void estimatesReplaceEstimatesAndNeverASettledRow() {
    assertThat(sql(estimates(Pipelines.clicksByAd(), ONE_DAY).statement()))
        .isEqualTo(
            """
            MERGE INTO delta.`/data/aggregates` t
            USING batch s
            ON t.`window_date` IN (DATE'2026-03-01')
              AND t.`window_start` >= TIMESTAMP'2026-03-01 10:00:00.000000Z'
              AND t.`window_start` <= TIMESTAMP'2026-03-01 10:05:00.000000Z'
              AND t.`window_start` = s.`window_start`
              AND t.`ad_id` <=> s.`ad_id`
            WHEN MATCHED AND t.`version` = 0 THEN UPDATE SET
              t.`paid` = s.`paid`,
              t.`mean_sum` = s.`mean_sum`,
              t.`mean_count` = s.`mean_count`,
              t.`event_count` = s.`event_count`
            WHEN NOT MATCHED THEN INSERT (
              `window_start`,
              `window_end`,
              `ad_id`,
              `paid`,
              `mean_sum`,
              `mean_count`,
              `event_count`,
              `window_date`,
              `version`)
            VALUES (
              s.`window_start`,
              s.`window_end`,
              s.`ad_id`,
              s.`paid`,
              s.`mean_sum`,
              s.`mean_count`,
              s.`event_count`,
              s.`window_date`,
              0)""");
  }

  @Test
  void aSettlementReplacesLowerVersionsInsertsMissingRowsAndDeletesPhantoms() {
    assertThat(sql(AggregateMerge.ofSettlement(Pipelines.clicksByAd(), ONE_DAY)))
        .isEqualTo(
            """
            MERGE INTO delta.`/data/aggregates` t
            USING batch s
            ON t.`window_date` IN (DATE'2026-03-01')
              AND t.`window_start` >= TIMESTAMP'2026-03-01 10:00:00.000000Z'
              AND t.`window_start` <= TIMESTAMP'2026-03-01 10:05:00.000000Z'
              AND t.`window_start` = s.`window_start`
              AND t.`ad_id` <=> s.`ad_id`
            WHEN MATCHED AND s.`version` > t.`version` AND s.`change` = 'phantom' THEN DELETE
            WHEN MATCHED AND s.`version` > t.`version` THEN UPDATE SET
              t.`paid` = s.`paid`,
              t.`mean_sum` = s.`mean_sum`,
              t.`mean_count` = s.`mean_count`,
              t.`event_count` = s.`event_count`,
              t.`version` = s.`version`
            WHEN NOT MATCHED AND s.`change` <> 'phantom' THEN INSERT (
              `window_start`,
              `window_end`,
              `ad_id`,
              `paid`,
              `mean_sum`,
              `mean_count`,
              `event_count`,
              `window_date`,
              `version`)
            VALUES (
              s.`window_start`,
              s.`window_end`,
              s.`ad_id`,
              s.`paid`,
              s.`mean_sum`,
              s.`mean_count`,
              s.`event_count`,
              s.`window_date`,
              s.`version`)""");
  }

  @Test
  void withoutKeysAndMeasuresARowIsItsWindowAndItsNumberOfEvents() {
    assertThat(sql(estimates(Pipelines.allClicks(), ONE_HOUR).statement()))
        .isEqualTo(
            """
            MERGE INTO delta.`/data/aggregates` t
            USING batch s
            ON t.`window_hour` IN (TIMESTAMP'2026-03-01 10:00:00.000000Z')
              AND t.`window_start` >= TIMESTAMP'2026-03-01 10:00:00.000000Z'
              AND t.`window_start` <= TIMESTAMP'2026-03-01 10:05:00.000000Z'
              AND t.`window_start` = s.`window_start`
            WHEN MATCHED AND t.`version` = 0 THEN UPDATE SET
              t.`event_count` = s.`event_count`
            WHEN NOT MATCHED THEN INSERT (
              `window_start`,
              `window_end`,
              `event_count`,
              `window_hour`,
              `version`)
            VALUES (
              s.`window_start`,
              s.`window_end`,
              s.`event_count`,
              s.`window_hour`,
              0)""");
  }

  @Test
  void keysThatAreWordsOfSqlAreQuoted() {
    assertThat(sql(AggregateMerge.ofSettlement(Pipelines.clicksBySqlWords(), ONE_DAY)))
        .contains(
            """
              AND t.`window_start` = s.`window_start`
              AND t.`select` <=> s.`select`
              AND t.`Group` <=> s.`Group`
            WHEN MATCHED AND s.`version` > t.`version` AND s.`change` = 'phantom' THEN DELETE
            """);
  }
}
