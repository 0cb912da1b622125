package io.tidemark.tests.harness;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.ParsedPipeline;
import io.tidemark.spec.parse.PipelineParser;
import io.tidemark.tests.oracle.JsonLine;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** A pipeline file that reads the generated events, key by key. */
public record PipelineYaml(Map<String, String> lines) {

  /** Windows of a minute, a watermark 70 s behind, every measure that the oracle knows. */
  public static PipelineYaml reading(Path landing) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("pipeline", "events");
    lines.put("source", "{kind: files, path: '" + landing + "', format: json}");
    lines.put(
        "event",
        "{schema: '" + JsonLine.SCHEMA + "', id: id, time: happened_at, arrival: arrived_at}");
    lines.put("window", "{tumbling: 1m}");
    lines.put("keys", "[key]");
    lines.put(
        "measures",
        "{values: count(value), total: sum(value), smallest: min(value), largest: max(value),"
            + " different: approx-distinct(value)}");
    lines.put("watermark", "{bound: 10s, allowed-lateness: 60s}");
    return new PipelineYaml(lines);
  }

  /** With one key replaced, or added at the end. */
  public PipelineYaml with(String key, String value) {
    Map<String, String> changed = new LinkedHashMap<>(lines);
    changed.put(key, value);
    return new PipelineYaml(changed);
  }

  /** With a limit on how far an event may lie ahead of its arrival. */
  public PipelineYaml withMaxFutureSkew(String skew) {
    return withEvent("max-future-skew", skew);
  }

  /** With a limit on how old an event may be when it arrives. */
  public PipelineYaml withMaxAge(String age) {
    return withEvent("max-age", age);
  }

  /** With columns of the event after the others, like {@code gate STRING}. */
  public PipelineYaml withColumn(String column) {
    return withSchema(JsonLine.SCHEMA + ", " + column);
  }

  /** With other columns of the event. */
  public PipelineYaml withSchema(String schema) {
    return with("event", lines.get("event").replace(JsonLine.SCHEMA, schema));
  }

  private PipelineYaml withEvent(String key, String value) {
    return with("event", lines.get("event").replace("}", ", %s: %s}".formatted(key, value)));
  }

  public String text() {
    return lines.entrySet().stream()
        .map(line -> line.getKey() + ": " + line.getValue() + "\n")
        .collect(Collectors.joining());
  }

  public PipelineSpec spec() {
    return parsed().spec();
  }

  public ParsedPipeline parsed() {
    return PipelineParser.parse("events.yaml", text());
  }
}
