package io.tidemark.spec.parse;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A pipeline file that is good, except where a test says otherwise; one line for each key. */
public record PipelineText(Map<String, String> lines) {

  /** Every key that is required, and nothing to warn of. */
  public static PipelineText good() {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("pipeline", "ad_clicks");
    lines.put("source", "{kind: files, path: /data/clicks, format: json}");
    lines.put(
        "event",
        "{schema: 'click_id STRING, ad_id STRING, clicked_at TIMESTAMP, sent_at TIMESTAMP, cost"
            + " BIGINT', id: click_id, time: clicked_at, arrival: sent_at}");
    lines.put("window", "{tumbling: 1m}");
    lines.put("watermark", "{bound: 10s, allowed-lateness: 60s}");
    return new PipelineText(lines);
  }

  /** With one key replaced, or added at the end. */
  public PipelineText with(String key, String value) {
    Map<String, String> changed = new LinkedHashMap<>(lines);
    changed.put(key, value);
    return new PipelineText(changed);
  }

  /** With an event of these columns, whose time is {@code at} and which needs no id. */
  public PipelineText withColumns(String schema) {
    return with("event", "{schema: 'at TIMESTAMP, " + schema + "', time: at, arrival: at}")
        .with("identical-lines", "one");
  }

  public PipelineText without(String key) {
    Map<String, String> changed = new LinkedHashMap<>(lines);
    changed.remove(key);
    return new PipelineText(changed);
  }

  public String yaml() {
    return lines.entrySet().stream()
        .map(line -> line.getKey() + ": " + line.getValue() + "\n")
        .collect(Collectors.joining());
  }

  public PipelineSpec spec() {
    return PipelineParser.parse("clicks.yaml", yaml()).spec();
  }

  /** Path, what and remedy of each warning. */
  List<String> warnings() {
    return PipelineParser.parse("clicks.yaml", yaml()).warnings().stream()
        .map(Problem::toString)
        .map(PipelineText::withoutPlace)
        .toList();
  }

  /** Path, what and remedy of each problem; empty if the file is good. */
  List<String> problems() {
    try {
      PipelineParser.parse("clicks.yaml", yaml());
      return List.of();
    } catch (SpecException e) {
      return e.getMessage().lines().skip(1).map(PipelineText::withoutPlace).toList();
    }
  }

  private static String withoutPlace(String problem) {
    return problem.replaceFirst("^clicks\\.yaml:\\d+: ", "");
  }
}
