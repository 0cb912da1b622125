package io.tidemark.tables;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.PipelineParser;

/** A pipeline file with a little of everything. */
final class Clicks {

  private Clicks() {}

  static PipelineSpec daily() {
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
              max-future-skew: 5m
              max-age: 30d
            window: {tumbling: 1m}
            keys: [ad_id]
            measures: {clicks: count, paid: sum(cost), mean: avg(cost), people: approx-distinct(click_id)}
            watermark: {bound: 10s, allowed-lateness: 60s}
            roll-ups: [hour]
            """)
        .spec();
  }

  /** Without a key, a measure and a roll-up, by hour. */
  static PipelineSpec plainAndHourly() {
    return PipelineParser.parse(
            "clicks.yaml",
            """
            pipeline: all_clicks
            source: {kind: files, path: /data/clicks, format: json}
            event:
              schema: click_id STRING, clicked_at TIMESTAMP
              id: click_id
              time: clicked_at
              arrival: clicked_at
            window: {tumbling: 1h}
            watermark: {bound: 10s, allowed-lateness: 60s}
            tables: {format: delta, partition: hour}
            """)
        .spec();
  }
}
