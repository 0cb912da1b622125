package io.tidemark.cli.verb;

import io.tidemark.reconcile.RowExplanation;
import io.tidemark.reconcile.RowExplanation.ArchivedRecord;
import io.tidemark.reconcile.RowExplanation.Change;
import io.tidemark.spec.computation.RecordFate;
import io.tidemark.tables.KeptArchive;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Why a row is what it is, in people's words and for programs. */
record ExplanationText(RowExplanation row) {

  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Window [%s, %s), key %s, as of archive version %d"
            .formatted(row.windowStart(), row.windowEnd(), row.key(), row.archiveVersion()));
    row.frozen()
        .ifPresent(
            kept ->
                lines.add(
                    "  Frozen: %s%s."
                        .formatted(
                            kept.inWords(),
                            kept.byBuild() ? "" : ", so records from before are gone")));
    lines.add(
        "  %s: %s"
            .formatted(
                row.recordsByFate().containsKey(RecordFate.BUILT)
                    ? "As the rebuild counted it"
                    : "Estimate of the stream",
                row.estimate().orElse("no row")));
    row.changes().forEach(change -> lines.add(inWords(change)));
    lines.add(
        row.now()
            .map(
                now ->
                    "  Now: %s, %s, version %d"
                        .formatted(now.values(), now.status(), now.version()))
            .orElse("  Now: no row"));
    lines.add(
        row.recordCount() == 0
            ? "  Archived records: none"
            : "  Archived records: %s".formatted(counts()));
    row.records().forEach(record -> lines.addAll(inWords(record)));
    long more = row.recordCount() - row.records().size();
    if (more > 0) {
      lines.add("  … and %d more; --most shows more.".formatted(more));
    }
    if (row.unattributable() > 0) {
      lines.add(
          "  Besides, %d rejected records of that day, or of no known one, have no readable time or key: they may belong here."
              .formatted(row.unattributable()));
    }
    return String.join("\n", lines);
  }

  private static String inWords(Change change) {
    return "  Settlement %d at %s: %s\n    before %s\n    after  %s"
        .formatted(
            change.settlement(),
            change.committedAt(),
            change.kind(),
            change.before().orElse("no row"),
            change.after().orElse("no row"));
  }

  private String counts() {
    return Arrays.stream(RecordFate.values())
        .filter(row.recordsByFate()::containsKey)
        .map(fate -> row.recordsByFate().get(fate) + " " + fate.label())
        .collect(Collectors.joining(", "));
  }

  private List<String> inWords(ArchivedRecord record) {
    return List.of(
        "    %s at %s%s, archived by version %d"
            .formatted(
                record.eventId().orElse("an event"),
                record.eventTime(),
                record.arrivalTime().map(arrival -> ", arrived " + arrival).orElse(""),
                record.archiveVersion()),
        "      from " + record.position(),
        "      " + fate(record, row.frozen().isPresent()));
  }

  /**
   * What became of a record.
   *
   * @param frozen whether its window is
   */
  static String fate(ArchivedRecord record, boolean frozen) {
    return switch (record.fate()) {
      case REJECTED -> "rejected: " + record.problem().orElse("");
      case FILTERED -> "left aside by the pipeline's filter";
      case COPY -> "copy of " + record.countedPosition();
      case IMPORTED -> "imported, past the stream; " + settled(record, frozen);
      case LEFT_OUT ->
          "left out by the stream as too late: windows through %s were closed; %s"
              .formatted(
                  record.closedThrough().map(Object::toString).orElse("then"),
                  settled(record, frozen));
      case WAITING ->
          "not read by the stream yet"
              + record.settledBy().map(settlement -> "; " + countedBy(settlement)).orElse("");
      case BUILT -> "counted by the rebuild";
      case COUNTED -> "counted by the stream";
    };
  }

  private static String settled(ArchivedRecord record, boolean frozen) {
    return record
        .settledBy()
        .map(ExplanationText::countedBy)
        .orElse(
            frozen
                ? "counted only if it came before its window was frozen"
                : "a coming settlement counts it");
  }

  private static String countedBy(long settlement) {
    return "counted by settlement " + settlement;
  }

  Map<String, Object> data() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("window_start", row.windowStart());
    data.put("window_end", row.windowEnd());
    data.put("key", row.key());
    data.put("archive_version", row.archiveVersion());
    row.frozen().flatMap(KeptArchive::from).ifPresent(day -> data.put("frozen_before", day));
    row.estimate().ifPresent(estimate -> data.put("estimate", estimate));
    row.now()
        .ifPresent(
            now -> {
              data.put("now", now.values());
              data.put("status", now.status());
              data.put("version", now.version());
            });
    data.put("changes", row.changes().stream().map(ExplanationText::data).toList());
    Map<String, Object> fates = new LinkedHashMap<>();
    for (RecordFate fate : RecordFate.values()) {
      fates.put(fate.label(), row.recordsByFate().getOrDefault(fate, 0L));
    }
    data.put("records_by_fate", fates);
    data.put("records", row.records().stream().map(this::data).toList());
    data.put("unattributable_records", row.unattributable());
    return data;
  }

  private static Map<String, Object> data(Change change) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("settlement", change.settlement());
    data.put("kind", change.kind());
    data.put("committed_at", change.committedAt());
    change.before().ifPresent(before -> data.put("before", before));
    change.after().ifPresent(after -> data.put("after", after));
    return data;
  }

  private Map<String, Object> data(ArchivedRecord record) {
    Map<String, Object> data = new LinkedHashMap<>();
    record.eventId().ifPresent(id -> data.put("event_id", id));
    data.put("event_time", record.eventTime());
    record.arrivalTime().ifPresent(arrival -> data.put("arrival_time", arrival));
    data.put("position", record.position());
    data.put("archive_version", record.archiveVersion());
    data.put("fate", record.fate().label());
    data.put("in_words", fate(record, row.frozen().isPresent()));
    record.closedThrough().ifPresent(through -> data.put("closed_through", through));
    record.problem().ifPresent(problem -> data.put("problem", problem));
    record.settledBy().ifPresent(settlement -> data.put("settlement", settlement));
    return data;
  }
}
