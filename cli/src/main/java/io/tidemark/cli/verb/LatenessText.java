package io.tidemark.cli.verb;

import io.tidemark.cli.TextTable;
import io.tidemark.reconcile.DelayLadder;
import io.tidemark.reconcile.LatenessReport;
import io.tidemark.reconcile.LatenessReport.Group;
import io.tidemark.reconcile.LatenessReport.Percentiles;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.Watermark;
import io.tidemark.spec.time.SpecDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How late events came, in people's words and for programs.
 *
 * @param mostLeftOutPercent what the recommended watermark may leave out
 */
record LatenessText(PipelineSpec spec, LatenessReport report, double mostLeftOutPercent) {

  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    parts.add(
        "Lateness of %d events of %s, as of archive version %d.\n\n%s\n\nBehind the stream: from the event's time to the latest in all earlier commits. Delay: to its arrival."
            .formatted(
                report.events(),
                spec.name(),
                report.archiveVersion(),
                row(
                    row(
                        new TextTable("", "p50", "p90", "p99", "p99.9", "max"),
                        "behind the stream",
                        report.behind()),
                    "delay",
                    report.delay())));
    if (!report.groups().isEmpty()) {
      parts.add(groups());
    }
    parts.add(ladder());
    parts.add(recommendation());
    return String.join("\n\n", parts);
  }

  private String groups() {
    TextTable table =
        new TextTable("behind the stream", "events", "p50", "p90", "p99", "p99.9", "max");
    for (Group group : report.groups()) {
      Percentiles p = group.behind();
      table.row(
          group.name(),
          group.events(),
          duration(p.p50()),
          duration(p.p90()),
          duration(p.p99()),
          duration(p.p999()),
          duration(p.max()));
    }
    return table.toString();
  }

  private static TextTable row(TextTable table, String name, Percentiles p) {
    return table.row(
        name,
        duration(p.p50()),
        duration(p.p90()),
        duration(p.p99()),
        duration(p.p999()),
        duration(p.max()));
  }

  private String ladder() {
    TextTable table = new TextTable("watermark delay", "left out", "share", "");
    for (DelayLadder.Rung rung : report.ladder().rungs()) {
      table.row(
          SpecDuration.format(rung.delay()),
          rung.leftOut(),
          percent(report.ladder().share(rung)),
          rung.delay().equals(spec.watermark().delay()) ? "now" : "");
    }
    return "Of %d events in their windows, a stream that reads each commit at once would leave out:\n\n%s"
        .formatted(report.ladder().memberships(), table);
  }

  private String recommendation() {
    String limit = number(mostLeftOutPercent) + "%";
    return report
        .ladder()
        .shortest(mostLeftOutPercent / 100)
        .map(
            rung ->
                "The shortest of these that leaves out at most %s:\n\n%s\n\n%s"
                    .formatted(
                        limit,
                        yaml(spec.watermark().withDelay(rung.delay())),
                        rung.delay().equals(spec.watermark().delay())
                            ? "That is what the pipeline has."
                            : "A changed watermark is another definition: it needs a new generation (tidemark rebuild)."))
        .orElse(
            "None of these leaves out at most %s: such events are the settlement's to count."
                .formatted(limit));
  }

  private static String yaml(Watermark watermark) {
    return "watermark: { bound: %s, allowed-lateness: %s }"
        .formatted(
            SpecDuration.format(watermark.bound()),
            SpecDuration.format(watermark.allowedLateness()));
  }

  Map<String, Object> data() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("state", "measured");
    data.put("archive_version", report.archiveVersion());
    data.put("events", report.events());
    data.put("behind", data(report.behind()));
    data.put("delay", data(report.delay()));
    data.put(
        "groups",
        report.groups().stream()
            .map(
                group -> {
                  Map<String, Object> cells = new LinkedHashMap<>();
                  cells.put("name", group.name());
                  cells.put("events", group.events());
                  cells.put("behind", data(group.behind()));
                  return cells;
                })
            .toList());
    data.put("memberships", report.ladder().memberships());
    data.put("current_delay", spec.watermark().delay());
    data.put(
        "ladder",
        report.ladder().rungs().stream()
            .map(
                rung -> {
                  Map<String, Object> cells = new LinkedHashMap<>();
                  cells.put("delay", rung.delay());
                  cells.put("left_out", rung.leftOut());
                  cells.put("share", report.ladder().share(rung));
                  return cells;
                })
            .toList());
    data.put("most_left_out_percent", mostLeftOutPercent);
    report
        .ladder()
        .shortest(mostLeftOutPercent / 100)
        .ifPresent(
            rung -> {
              data.put("recommended_delay", rung.delay());
              data.put("recommended_yaml", yaml(spec.watermark().withDelay(rung.delay())));
            });
    return data;
  }

  private static Map<String, Object> data(Percentiles percentiles) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("p50", percentiles.p50());
    data.put("p90", percentiles.p90());
    data.put("p99", percentiles.p99());
    data.put("p99.9", percentiles.p999());
    data.put("max", percentiles.max());
    return data;
  }

  /** To the millisecond below a second, to a tenth below a minute. */
  private static String duration(Duration duration) {
    if (duration.isNegative()) {
      return "-" + duration(duration.negated());
    } else if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
      return duration.isZero() ? "0s" : duration.toMillis() + "ms";
    } else if (duration.compareTo(Duration.ofMinutes(1)) < 0) {
      return number(Math.floor(duration.toMillis() / 100.0) / 10) + "s";
    }
    return StatusText.duration(duration);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.3f%%", share * 100);
  }

  /** Without a fraction of zero. */
  private static String number(double number) {
    return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
  }
}
