package io.tidemark.merge;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.PipelineParser;

/** Pipelines that differ in what a MERGE depends on. */
final class Pipelines {

  private Pipelines() {}

  /** By ad, by day; of its measures one is stored as two columns. */
  static PipelineSpec clicksByAd() {
    return withRest(
        """
        keys: [ad_id]
        measures: {paid: sum(cost), mean: avg(cost)}
        """);
  }

  /** All clicks in one row per window, by hour. */
  static PipelineSpec allClicks() {
    return withRest("tables: {format: delta, partition: hour}\n");
  }

  /** Keys whose names are words of SQL. */
  static PipelineSpec clicksBySqlWords() {
    return withRest(
        """
        derive: {select: cost > 1, Group: cost > 2}
        keys: [select, Group]
        """);
  }

  private static PipelineSpec withRest(String rest) {
    return PipelineParser.parse(
            "clicks.yaml",
            """
            pipeline: ad_clicks
            source: {kind: files, path: /data/clicks, format: json}
            event:
              schema: click_id STRING, ad_id STRING, clicked_at TIMESTAMP, sent_at TIMESTAMP, cost BIGINT
              id: click_id
              time: clicked_at
              arrival: sent_at
            window: {tumbling: 1m}
            watermark: {bound: 10s, allowed-lateness: 60s}
            """
                + rest)
        .spec();
  }
}
