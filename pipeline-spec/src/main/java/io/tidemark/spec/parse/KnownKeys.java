package io.tidemark.spec.parse;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The keys of one section of the file.
 *
 * @param now those that work
 * @param notYet those of the design whose feature does not exist yet, each with its feature
 */
record KnownKeys(List<String> now, Map<String, String> notYet) {

  static final KnownKeys PIPELINE =
      new KnownKeys(
          List.of(
              "pipeline",
              "source",
              "event",
              "filter",
              "derive",
              "window",
              "keys",
              "measures",
              "watermark",
              "emit",
              "duplicates",
              "identical-lines",
              "tables",
              "settle",
              "health",
              "roll-ups"),
          Map.of(
              "revisions", "newer versions of an event replace older ones",
              "archive", "keeping raw records, to parse them again"));

  static final KnownKeys FILES_SOURCE =
      now(
          "kind",
          "path",
          "glob",
          "format",
          "options",
          "max-files-per-trigger",
          "max-bytes-per-trigger");

  static final KnownKeys KAFKA_SOURCE =
      now(
          "kind",
          "bootstrap-servers",
          "topic",
          "format",
          "options",
          "avro-schema",
          "columns",
          "start",
          "isolation",
          "max-offsets-per-trigger",
          "longest-pause");

  /** Of any kind. */
  static final KnownKeys SOURCE =
      new KnownKeys(
          Stream.concat(FILES_SOURCE.now.stream(), KAFKA_SOURCE.now.stream()).distinct().toList(),
          Map.of("pipeline", "reading the archive of another pipeline"));

  static final KnownKeys EVENT =
      now("schema", "id", "time", "source-timestamp", "arrival", "max-future-skew", "max-age");

  static final KnownKeys TIME_COLUMN = now("column", "format");

  static final KnownKeys WINDOW =
      new KnownKeys(
          List.of("tumbling", "hopping"), Map.of("session", "windows that end after a gap"));

  static final KnownKeys HOPPING = now("size", "slide");

  static final KnownKeys WATERMARK = now("bound", "allowed-lateness");

  static final KnownKeys TABLES = now("format", "partition");

  static final KnownKeys SETTLE =
      now(
          "max-corrected-share",
          "max-total-change",
          "max-row-change",
          "max-phantom-share",
          "max-problem-share",
          "on-breach");

  static final KnownKeys HEALTH = now("max-lag", "max-silence", "max-left-out-share");

  KnownKeys {
    now = List.copyOf(now);
    notYet = Map.copyOf(notYet);
  }

  /** Every section with known keys, by its path in the file. */
  static Map<String, KnownKeys> sections() {
    return Map.ofEntries(
        Map.entry("", PIPELINE),
        Map.entry("source", SOURCE),
        Map.entry("event", EVENT),
        Map.entry("event.time", TIME_COLUMN),
        Map.entry("event.source-timestamp", TIME_COLUMN),
        Map.entry("event.arrival", TIME_COLUMN),
        Map.entry("window", WINDOW),
        Map.entry("window.hopping", HOPPING),
        Map.entry("watermark", WATERMARK),
        Map.entry("tables", TABLES),
        Map.entry("settle", SETTLE),
        Map.entry("health", HEALTH));
  }

  private static KnownKeys now(String... keys) {
    return new KnownKeys(List.of(keys), Map.of());
  }
}
