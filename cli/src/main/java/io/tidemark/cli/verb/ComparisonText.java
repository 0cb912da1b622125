package io.tidemark.cli.verb;

import io.tidemark.cli.TextTable;
import io.tidemark.reconcile.RowDifference;
import io.tidemark.reconcile.generation.Comparison;
import io.tidemark.reconcile.generation.Comparison.Total;
import io.tidemark.spec.PipelineSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A comparison of two generations in people's words, as a page, and for programs. */
final class ComparisonText {

  /** Totals are shown of the days that differ, so many of them. */
  private static final int MOST_TOTALS = 40;

  private final PipelineSpec spec;
  private final Comparison comparison;
  private final List<ExplanationText> explained;

  /**
   * @param explained differing rows down to their events, each by the live generation and the other
   */
  ComparisonText(PipelineSpec spec, Comparison comparison, List<ExplanationText> explained) {
    this.explained = explained;
    this.spec = spec;
    this.comparison = comparison;
  }

  @Override
  public String toString() {
    return String.join("\n", summary()) + "\n" + totals() + largest() + verdict();
  }

  private List<String> summary() {
    String windows =
        "%s (live) and %s, windows %sthrough %s%s:"
            .formatted(
                comparison.live(),
                comparison.other(),
                comparison.from().map(from -> "from " + from + " ").orElse(""),
                comparison.through(),
                comparison.settled() ? ", settled in both" : ", not all of them settled in both");
    String rows =
        comparison
            .incomparable()
            .map(why -> "Rows can't be compared one by one: " + why + ".")
            .orElseGet(
                () ->
                    "%d rows: %d equal, %d different as expected, %d otherwise, %d only in %s, %d only in %s."
                        .formatted(
                            comparison.compared(),
                            rows(Comparison.EQUAL),
                            rows(Comparison.EXPECTED),
                            rows(Comparison.DIFFERENT),
                            rows(Comparison.ONLY_LIVE),
                            comparison.live(),
                            rows(Comparison.ONLY_OTHER),
                            comparison.other()));
    String measures =
        comparison.differingByMeasure().values().stream().allMatch(number -> number == 0)
            ? "All measures are the same in the rows of both."
            : comparison.differingByMeasure().entrySet().stream()
                .filter(measure -> measure.getValue() > 0)
                .map(measure -> "%s in %d rows".formatted(measure.getKey(), measure.getValue()))
                .collect(
                    Collectors.joining(
                        ", ", "Measures that differ: ", "; the others are the same."));
    String notShared =
        comparison.notShared().isEmpty()
            ? ""
            : "Not compared, as only one has them, or with another type: "
                + String.join(", ", comparison.notShared())
                + ".";
    return Stream.of(windows, rows, measures, notShared)
        .filter(line -> !line.isEmpty())
        .filter(line -> comparison.incomparable().isEmpty() || !line.equals(measures))
        .toList();
  }

  private long rows(String kind) {
    return comparison.rows().getOrDefault(kind, 0L);
  }

  private List<Total> differingTotals() {
    return comparison.totals().stream().filter(total -> !total.same()).toList();
  }

  private String totals() {
    List<Total> differing = differingTotals();
    if (differing.isEmpty()) {
      return "Totals by day are the same.\n";
    }
    TextTable table =
        new TextTable("day", "measure", comparison.live().name(), comparison.other().name());
    differing.stream()
        .limit(MOST_TOTALS)
        .forEach(
            total ->
                table.row(
                    total.day().toString(),
                    total.measure(),
                    total.live().orElse("none"),
                    total.other().orElse("none")));
    String more =
        differing.size() > MOST_TOTALS
            ? "\n(and %d more)".formatted(differing.size() - MOST_TOTALS)
            : "";
    return "Totals that differ:\n" + table + more + "\n";
  }

  private String largest() {
    if (comparison.largest().isEmpty()) {
      return "";
    }
    RowDifference first = comparison.largest().get(0);
    return "The largest differences (before: %s, after: %s):\n"
            .formatted(comparison.live(), comparison.other())
        + Differences.text(comparison.largest())
        + events()
        + "The events behind a row: tidemark explain … --window %s%s, and again with --generation %s.\n"
            .formatted(first.windowStart(), keys(), comparison.other());
  }

  private String events() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < explained.size(); i++) {
      text.append("By %s: ".formatted(i % 2 == 0 ? comparison.live() : comparison.other()));
      text.append(explained.get(i)).append('\n');
    }
    return text.toString();
  }

  private String keys() {
    return spec.keys().stream()
        .map(key -> " --key " + key.name() + "=…")
        .collect(Collectors.joining());
  }

  private String verdict() {
    if (comparison.incomparable().isPresent()) {
      return "Look at the totals; to promote all the same, use --force 'reason'.";
    }
    return comparison.isWithin()
        ? comparison.differing() == 0
            ? "Nothing differs that was not expected to."
            : "Within the tolerance of %s.".formatted(comparison.tolerance())
        : "More rows differ than the tolerance of %s allows.".formatted(comparison.tolerance());
  }

  Map<String, Object> data() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("live", comparison.live().name());
    data.put("candidate", comparison.other().name());
    comparison.from().ifPresent(from -> data.put("from", from));
    data.put("through", comparison.through());
    data.put("settled", comparison.settled());
    data.put("rows", comparison.rows());
    data.put("compared", comparison.compared());
    data.put("differing", comparison.differing());
    data.put("tolerance", comparison.tolerance().toString());
    data.put("within", comparison.isWithin());
    data.put("differing_by_measure", comparison.differingByMeasure());
    data.put("not_shared", comparison.notShared());
    comparison.incomparable().ifPresent(why -> data.put("incomparable", why));
    data.put("totals", comparison.totals().stream().map(ComparisonText::data).toList());
    data.put("differences", Differences.data(comparison.largest()));
    data.put("events", explained.stream().map(ExplanationText::data).toList());
    return data;
  }

  private static Map<String, Object> data(Total total) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("day", total.day());
    data.put("measure", total.measure());
    data.put("live", total.live().orElse(null));
    data.put("candidate", total.other().orElse(null));
    return data;
  }

  /** A page without anything from elsewhere. */
  String html() {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>%s: %s and %s</title>
        <style>
        body { font-family: sans-serif; margin: 2em; }
        table { border-collapse: collapse; margin: 1em 0; }
        td, th { border: 1px solid #ccc; padding: .2em .6em; text-align: left; }
        td.differs { background: #fdd; }
        </style></head><body>
        <h1>%s</h1>
        """
            .formatted(
                escaped(spec.name().value()),
                comparison.live(),
                comparison.other(),
                escaped(spec.name().value())));
    summary().forEach(line -> page.append("<p>").append(escaped(line)).append("</p>\n"));
    page.append("<p><strong>").append(escaped(verdict())).append("</strong></p>\n");
    page.append("<h2>Totals by day</h2>\n");
    page.append(
        "<table><tr><th>day</th><th>measure</th><th>%s (live)</th><th>%s</th></tr>\n"
            .formatted(comparison.live(), comparison.other()));
    for (Total total : comparison.totals()) {
      page.append(
          "<tr><td>%s</td><td>%s</td><td>%s</td><td%s>%s</td></tr>\n"
              .formatted(
                  total.day(),
                  escaped(total.measure()),
                  escaped(total.live().orElse("none")),
                  total.same() ? "" : " class=\"differs\"",
                  escaped(total.other().orElse("none"))));
    }
    page.append("</table>\n<h2>The largest differences</h2>\n");
    page.append(
        "<table><tr><th>kind</th><th>window</th><th>key</th><th>%s (live)</th><th>%s</th></tr>\n"
            .formatted(comparison.live(), comparison.other()));
    for (RowDifference row : comparison.largest()) {
      page.append(
          "<tr><td>%s</td><td>[%s, %s)</td><td>%s</td><td>%s</td><td>%s</td></tr>\n"
              .formatted(
                  row.kind(),
                  row.windowStart(),
                  row.windowEnd(),
                  escaped(row.key()),
                  escaped(row.before().orElse("no row")),
                  escaped(row.after().orElse("no row"))));
    }
    return page.append("</table>\n</body></html>\n").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
