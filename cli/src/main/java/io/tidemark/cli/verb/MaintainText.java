package io.tidemark.cli.verb;

import io.tidemark.cli.TextTable;
import io.tidemark.reconcile.maintain.ExpiredDays;
import io.tidemark.reconcile.maintain.MaintainOutcome;
import io.tidemark.reconcile.maintain.MaintainOutcome.Upkeep;
import io.tidemark.reconcile.maintain.TableUpkeep;
import io.tidemark.reconcile.maintain.TableUpkeep.CompactionResult;
import io.tidemark.spec.time.SpecDuration;
import io.tidemark.tables.FileTotal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What maintaining a pipeline came to, in people's words and for programs. */
final class MaintainText {

  private MaintainText() {}

  static String of(MaintainOutcome outcome) {
    Upkeep upkeep = outcome.upkeep();
    boolean done = outcome instanceof MaintainOutcome.Done;
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s, with a history of %s:"
            .formatted(
                done ? "Maintained" : "Would be done", SpecDuration.format(upkeep.history())));
    upkeep.expired().ifPresent(days -> lines.add(expired(days, done)));
    TextTable table =
        new TextTable("table", "partitions", "files before", "files after", "deleted", "bytes");
    for (TableUpkeep one : upkeep.tables()) {
      CompactionResult compaction = one.compaction();
      table.row(
          one.table(),
          compaction.partitions(),
          compaction.filesBefore(),
          compaction.filesAfter(),
          one.removed().files(),
          one.removed().bytes());
    }
    lines.add(table.toString());
    lines.add(
        "Partitions were compacted from so many files to so many; replaced files are deleted once"
            + " they are older than the history.");
    lines.add(
        "Temporary files that crashes left in the checkpoints: %s. Files that old runs left: %s."
            .formatted(deleted(upkeep.checkpoints()), deleted(upkeep.runs())));
    for (TableUpkeep one : upkeep.tables()) {
      for (String partition : one.compaction().leftForNextRun()) {
        lines.add(
            "Left for the next run, because another writer came first: %s, %s."
                .formatted(one.table(), partition));
      }
    }
    if (!done) {
      lines.add("Nothing was written.");
    }
    return String.join("\n", lines);
  }

  private static String expired(ExpiredDays days, boolean done) {
    return days.days() == 0
        ? "No day of the archive older than %s before the settled boundary could go; %s. Days that undoing the last settlement would change are kept."
            .formatted(
                SpecDuration.format(days.retention()),
                days.keptFrom().map("it is kept from %s on"::formatted).orElse("all are kept"))
        : "%d days (%d files, %d bytes) of the archive %s deleted: it is kept from %s on, and windows that start before are frozen."
            .formatted(
                days.days(),
                days.files().files(),
                days.files().bytes(),
                done ? "were" : "would be",
                days.keptFrom().orElseThrow());
  }

  private static String deleted(FileTotal total) {
    return total.files() == 0 ? "none" : "%d (%d bytes)".formatted(total.files(), total.bytes());
  }

  static Map<String, Object> data(MaintainOutcome outcome) {
    Upkeep upkeep = outcome.upkeep();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("state", outcome instanceof MaintainOutcome.Done ? "maintained" : "dry-run");
    data.put("history", upkeep.history());
    upkeep.expired().ifPresent(days -> data.put("expired", data(days)));
    data.put("tables", upkeep.tables().stream().map(MaintainText::data).toList());
    data.put("checkpoint_leftovers", data(upkeep.checkpoints()));
    data.put("run_results", data(upkeep.runs()));
    return data;
  }

  private static Map<String, Object> data(ExpiredDays expired) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("retention", expired.retention());
    data.put("kept_from", expired.keptFrom().orElse(null));
    data.put("days", expired.days());
    data.put("files", data(expired.files()));
    return data;
  }

  private static Map<String, Object> data(TableUpkeep table) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("table", table.table());
    data.put("partitions_compacted", table.compaction().partitions());
    data.put("files_before", table.compaction().filesBefore());
    data.put("files_after", table.compaction().filesAfter());
    data.put("left_for_next_run", table.compaction().leftForNextRun());
    data.put("removed", data(table.removed()));
    return data;
  }

  private static Map<String, Object> data(FileTotal total) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("files", total.files());
    data.put("bytes", total.bytes());
    return data;
  }
}
