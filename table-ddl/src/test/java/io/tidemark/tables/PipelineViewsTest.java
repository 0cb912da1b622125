package io.tidemark.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.PipelineSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PipelineViewsTest {

  private static Map<String, String> views(PipelineSpec spec) {
    PipelineTables tables = new Warehouse("/data").of(spec.name(), Generation.FIRST);
    return new PipelineViews(spec, tables, table -> "named.`" + table + "`").queries();
  }

  @Test
  void aPipelineHasTheseViewsEachAfterThoseItUses() {
    assertThat(views(Clicks.daily()).keySet())
        .containsExactly(
            "ad_clicks_progress",
            "ad_clicks",
            "ad_clicks_settled",
            "ad_clicks_hourly",
            "ad_clicks_corrections");
    assertThat(views(Clicks.plainAndHourly()).keySet())
        .containsExactly(
            "all_clicks_progress", "all_clicks", "all_clicks_settled", "all_clicks_corrections");
  }

  @Test
  void progressTakesTheNewestStepOfTheNewestEpoch() {
    assertThat(views(Clicks.daily()))
        .containsEntry(
            "ad_clicks_progress",
            """
            SELECT
              p.frontier,
              p.frontier + INTERVAL '60.000' SECOND AS on_time_through,
              s.settled_through,
              s.last_settlement,
              s.last_frontier,
              p.archive_version,
              p.published_at,
              timestampdiff(SECOND, p.published_at, current_timestamp()) AS seconds_since_step,
              g.generation,
              g.promoted_at
            FROM (SELECT generation, promoted_at FROM named.`/data/ad_clicks/generations` WHERE generation = 'g1') g
            CROSS JOIN (
              SELECT
                max_by(frontier, struct(epoch, batch)) AS frontier,
                max_by(archive_version, struct(epoch, batch)) AS archive_version,
                max_by(published_at, struct(epoch, batch)) AS published_at
              FROM named.`/data/ad_clicks/g1/progress`) p
            CROSS JOIN (
              SELECT
                max(settlement) AS last_settlement,
                max_by(settled_through, settlement) AS settled_through,
                max_by(frontier, settlement) AS last_frontier
              FROM named.`/data/ad_clicks/g1/settlements`) s""");
  }

  @Test
  void everyRowSaysHowFinalItIs() {
    assertThat(views(Clicks.daily()))
        .containsEntry(
            "ad_clicks",
            """
            SELECT
              window_start,
              window_end,
              `ad_id`,
              `clicks` AS `clicks`,
              `paid` AS `paid`,
              CAST(`mean_sum` AS DOUBLE) / nullif(`mean_count`, 0) AS `mean`,
              coalesce(theta_sketch_estimate(`people_sketch`), 0) AS `people`,
              event_count,
              CASE
                WHEN version > 0 AND window_end + INTERVAL '2592300.000' SECOND <= p.last_frontier THEN 'final'
                WHEN version > 0 THEN 'settled'
                WHEN window_end <= p.frontier THEN 'closed'
                WHEN window_end <= p.on_time_through THEN 'on-time'
                ELSE 'open'
              END AS status,
              version,
              p.generation
            FROM named.`/data/ad_clicks/g1/aggregates`
            CROSS JOIN `ad_clicks_progress` p""")
        .containsEntry(
            "ad_clicks_settled",
            """
            SELECT *
            FROM `ad_clicks`
            WHERE status IN ('settled', 'final')""");
  }

  @Test
  void aRollUpIsAsFinalAsTheLeastFinalOfItsWindows() {
    assertThat(views(Clicks.daily()))
        .containsEntry(
            "ad_clicks_hourly",
            """
            SELECT
              date_trunc('HOUR', window_start) AS window_start,
              date_trunc('HOUR', window_start) + INTERVAL '3600.000' SECOND AS window_end,
              `ad_id`,
              sum(`clicks`) AS `clicks`,
              sum(`paid`) AS `paid`,
              CAST(sum(`mean_sum`) AS DOUBLE) / nullif(sum(`mean_count`), 0) AS `mean`,
              coalesce(theta_sketch_estimate(theta_union_agg(`people_sketch`)), 0) AS `people`,
              sum(event_count) AS event_count,
              CASE
                WHEN min(version) > 0 AND date_trunc('HOUR', window_start) + INTERVAL '3600.000' SECOND + INTERVAL '2592300.000' SECOND <= max(p.last_frontier) THEN 'final'
                WHEN min(version) > 0 AND date_trunc('HOUR', window_start) + INTERVAL '3600.000' SECOND <= max(p.settled_through) THEN 'settled'
                WHEN date_trunc('HOUR', window_start) + INTERVAL '3600.000' SECOND <= max(p.frontier) THEN 'closed'
                WHEN date_trunc('HOUR', window_start) + INTERVAL '3600.000' SECOND <= max(p.on_time_through) THEN 'on-time'
                ELSE 'open'
              END AS status,
              max(version) AS version,
              max(p.generation) AS generation
            FROM named.`/data/ad_clicks/g1/aggregates`
            CROSS JOIN `ad_clicks_progress` p
            GROUP BY date_trunc('HOUR', window_start), `ad_id`""");
  }

  @Test
  void correctionsAreThoseOfCommittedAttempts() {
    assertThat(views(Clicks.daily()))
        .containsEntry(
            "ad_clicks_corrections",
            """
            SELECT c.*, s.committed_at
            FROM named.`/data/ad_clicks/g1/corrections` c
            JOIN named.`/data/ad_clicks/g1/settlements` s ON c.settlement = s.settlement AND c.attempt = s.attempt
            LEFT ANTI JOIN named.`/data/ad_clicks/g1/settlements` u ON c.settlement = u.undoes""");
  }

  @Test
  void withoutKeyAndMeasureARowIsItsNumberOfEvents() {
    assertThat(views(Clicks.plainAndHourly()).get("all_clicks"))
        .startsWith(
            """
            SELECT
              window_start,
              window_end,
              event_count,
              CASE
            """);
  }
}
