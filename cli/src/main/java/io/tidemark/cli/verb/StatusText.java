package io.tidemark.cli.verb;

import io.tidemark.reconcile.PipelineStatus;
import io.tidemark.reconcile.PipelineStatus.GenerationStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A pipeline's status in people's words, and for programs. */
public final class StatusText {

  private StatusText() {}

  public static String of(PipelineStatus status) {
    List<String> lines = new ArrayList<>();
    lines.add("%s, generation %s".formatted(status.pipeline(), status.generation()));
    lines.add(
        status
            .frontier()
            .map(
                frontier ->
                    "  Frontier: %s. No window that ends by then is changed by the stream any more."
                        .formatted(frontier))
            .orElse("  Frontier: none yet. The stream has not seen enough."));
    status
        .onTimeThrough()
        .ifPresent(
            time ->
                lines.add(
                    "  On time through: %s. What comes within the bound is in.".formatted(time)));
    lines.add(
        status
            .settledThrough()
            .map(time -> "  Settled through: %s. Numbers to bill from.".formatted(time))
            .orElse("  Settled through: nothing is settled yet."));
    status
        .archiveKeptFrom()
        .ifPresent(
            day ->
                lines.add(
                    "  Archive: kept from %s on. Windows that start before are frozen."
                        .formatted(day)));
    status
        .builtFrom()
        .ifPresent(
            day ->
                lines.add(
                    "  Built from %s on. Windows that start before are in older generations only."
                        .formatted(day)));
    lines.add(
        status.waitingRecords() == 0
            ? "  Lag: none; the stream has read all that is archived."
            : "  Lag: %d archived records wait for the stream, the oldest for %s."
                .formatted(status.waitingRecords(), duration(status.lag())));
    status
        .sinceStep()
        .ifPresent(
            since -> lines.add("  The stream last moved on %s ago.".formatted(duration(since))));
    lines.add(
        "  Rows: "
            + List.of("open", "on-time", "closed", "settled", "final").stream()
                .map(name -> status.rowsByStatus().getOrDefault(name, 0L) + " " + name)
                .collect(Collectors.joining(", "))
            + ".");
    lines.add(
        status.recordsByProblem().isEmpty()
            ? "  Problems: none."
            : "  Problems: "
                + status.recordsByProblem().entrySet().stream()
                    .map(problem -> problem.getValue() + " " + problem.getKey())
                    .collect(Collectors.joining(", "))
                + ".");
    if (!status.lastSettlement().isEmpty()) {
      Map<String, String> last = status.lastSettlement();
      lines.add(
          last.containsKey("undoes")
              ? "  Last settlement: entry %s at %s took settlement %s back, because of '%s'."
                  .formatted(
                      last.get("settlement"),
                      last.get("committed_at"),
                      last.get("undoes"),
                      last.get("close_reason"))
              : !last.getOrDefault("built", "0").equals("0")
                  ? "  Last settlement: none since the rebuild at %s counted %s rows."
                      .formatted(last.get("committed_at"), last.get("built"))
                  : "  Last settlement: %s at %s; %s agreed, %s corrected, %s missing, %s phantom."
                      .formatted(
                          last.get("settlement"),
                          last.get("committed_at"),
                          last.get("agreed"),
                          last.get("corrected"),
                          last.get("missing"),
                          last.get("phantom")));
      lines.addAll(balance(status.balance()));
      long frozen = number(status.balance(), "frozen");
      if (frozen > 0) {
        lines.add(
            "  Not counted: %d memberships of frozen windows, which came when their days were no longer kept."
                .formatted(frozen));
      }
      status
          .unexplained()
          .forEach(
              (settlement, events) ->
                  lines.add(
                      "  Settlement %d: %d events unexplained.".formatted(settlement, events)));
    }
    SourceGaps.lines(status.sourceGaps()).forEach(line -> lines.add("  " + line));
    status.others().forEach(other -> lines.add("  Beside it: " + inWords(other)));
    return String.join("\n", lines);
  }

  private static String inWords(GenerationStatus other) {
    String behind =
        other.state().equals("building")
            ? ""
            : "%s, %s"
                .formatted(
                    other
                        .frontier()
                        .map(frontier -> ", frontier " + frontier)
                        .orElse(", no frontier yet"),
                    other.behind() == 0
                        ? "as far as the live one"
                        : other.behind() + " records behind the live one");
    return "%s, %s%s%s."
        .formatted(
            other.generation(),
            other.state(),
            behind,
            other.differing().map(rows -> ", " + rows + " rows differ").orElse(""));
  }

  private static List<String> balance(Map<String, Long> sums) {
    return List.of(
        "  Balance of records up to then: %d archived = %d rejected + %d filtered + %d considered%s."
            .formatted(
                sums.get("archived"),
                sums.get("rejected"),
                sums.get("filtered"),
                sums.get("considered"),
                residual(recordResidual(sums))),
        "  Balance of settled windows: %d memberships = %d counted + %d duplicates; exact %d − estimate %d = %d left out by the stream%s%s."
            .formatted(
                sums.get("memberships"),
                sums.get("counted"),
                sums.get("duplicates"),
                sums.get("counted"),
                sums.get("estimated"),
                sums.get("left_out"),
                imported(number(sums, "imported")),
                residual(eventResidual(sums))));
  }

  private static long recordResidual(Map<String, Long> sums) {
    return number(sums, "archived")
        - number(sums, "rejected")
        - number(sums, "filtered")
        - number(sums, "considered");
  }

  private static long eventResidual(Map<String, Long> sums) {
    return number(sums, "counted")
        - number(sums, "estimated")
        - number(sums, "left_out")
        - number(sums, "imported");
  }

  private static long number(Map<String, Long> sums, String name) {
    return sums.getOrDefault(name, 0L);
  }

  private static String imported(long events) {
    return events == 0 ? "" : " + " + events + " imported";
  }

  private static String residual(long residual) {
    return residual == 0 ? "" : " (unexplained: " + residual + ")";
  }

  /** Like 2d 3h, 5m 10s or 12s: two units at the most. */
  static String duration(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds < 60) {
      return seconds + "s";
    } else if (seconds < 3600) {
      return seconds / 60 + "m " + seconds % 60 + "s";
    } else if (seconds < 86400) {
      return seconds / 3600 + "h " + seconds % 3600 / 60 + "m";
    }
    return seconds / 86400 + "d " + seconds % 86400 / 3600 + "h";
  }

  private static Map<String, Object> data(GenerationStatus other) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("generation", other.generation());
    data.put("state", other.state());
    data.put("frontier", other.frontier().orElse(null));
    data.put("records_behind", other.behind());
    other.differing().ifPresent(rows -> data.put("rows_differing", rows));
    return data;
  }

  static Map<String, Object> data(PipelineStatus status) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("pipeline", status.pipeline());
    data.put("generation", status.generation());
    data.put("promoted_at", status.promotedAt());
    data.put("frontier", status.frontier().orElse(null));
    data.put("on_time_through", status.onTimeThrough().orElse(null));
    data.put("settled_through", status.settledThrough().orElse(null));
    data.put("archive_kept_from", status.archiveKeptFrom().orElse(null));
    data.put("built_from", status.builtFrom().orElse(null));
    data.put("waiting_records", status.waitingRecords());
    data.put("lag_seconds", status.lag().toSeconds());
    status.sinceStep().ifPresent(since -> data.put("seconds_since_step", since.toSeconds()));
    data.put("rows_by_status", status.rowsByStatus());
    data.put("records_by_problem", status.recordsByProblem());
    data.put("last_settlement", status.lastSettlement());
    data.put("balance", status.balance());
    data.put("unexplained_records", recordResidual(status.balance()));
    data.put("unexplained_events", eventResidual(status.balance()));
    data.put("unexplained_by_settlement", status.unexplained());
    data.put("source_gaps", status.sourceGaps());
    data.put("other_generations", status.others().stream().map(StatusText::data).toList());
    return data;
  }
}
