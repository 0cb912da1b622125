package io.tidemark.cli.verb;

import io.tidemark.cli.ExitCode;
import io.tidemark.cli.VerbResult;
import io.tidemark.ingest.kafka.Contiguity;
import io.tidemark.ingest.kafka.Contiguity.Hole;
import io.tidemark.tables.journal.SourceGap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code verify --source} answers. */
final class SourceCheck {

  private static final int SHOWN = 20;

  private SourceCheck() {}

  /**
   * The answer.
   *
   * @param acknowledged the gaps that this run has acknowledged
   */
  static VerbResult answer(Contiguity found, List<SourceGap> acknowledged) {
    List<String> lines = new ArrayList<>();
    found
        .partitions()
        .forEach(
            one ->
                lines.add(
                    one.next() == one.first()
                        ? "  partition %d: nothing read yet".formatted(one.partition())
                        : "  partition %d: read from offset %d to %d, %d archived"
                            .formatted(
                                one.partition(), one.first(), one.next() - 1, one.archived())));
    found.holes().stream()
        .limit(SHOWN)
        .forEach(
            hole ->
                lines.add(
                    "  partition %d, %s: %s"
                        .formatted(hole.partition(), offsets(hole), hole.kind().inWords())));
    if (found.holes().size() > SHOWN) {
      lines.add("  … and %d more; --json lists them".formatted(found.holes().size() - SHOWN));
    }
    if (found.unexamined() > 0) {
      lines.add("  … and %d more that were not looked at".formatted(found.unexamined()));
    }
    found.repeats().stream()
        .limit(SHOWN)
        .forEach(
            repeat ->
                lines.add(
                    "  partition %d, offset %d: archived %d times"
                        .formatted(repeat.partition(), repeat.offset(), repeat.times())));
    acknowledged.forEach(gap -> lines.add("  acknowledged: " + gap.inWords()));
    return new VerbResult(
        found.isBroken() || found.unexamined() > 0 ? ExitCode.DATA_REFUSED : ExitCode.DONE,
        headline(found) + "\n" + String.join("\n", lines),
        data(found, acknowledged));
  }

  private static String headline(Contiguity found) {
    if (found.isBroken()) {
      return "The archive does not hold topic %s once: %d offsets are missing, %d are repeated. Something other than Tidemark has changed the archive or its checkpoint. Ingest again into a new warehouse path, while the topic has the records."
          .formatted(
              found.topic(),
              found.holes().stream()
                  .filter(hole -> hole.kind() == Hole.Kind.MISSING)
                  .mapToLong(Hole::offsets)
                  .sum(),
              found.repeats().size());
    }
    if (found.unexamined() > 0) {
      return "Of topic %s as much as was looked at is archived once, but there are %d more offsets behind which others are missing than can be looked at in one run."
          .formatted(found.topic(), found.unexamined());
    }
    return found.holes().isEmpty()
        ? "The archive holds each offset of topic %s once.".formatted(found.topic())
        : "The archive holds each record of topic %s once; these offsets are not in it, with reason:"
            .formatted(found.topic());
  }

  private static String state(Contiguity found) {
    if (found.isBroken()) {
      return "broken";
    }
    return found.unexamined() > 0 ? "not-all-examined" : "contiguous";
  }

  private static String offsets(Hole hole) {
    return hole.offsets() == 1
        ? "offset " + hole.first()
        : "offsets %d to %d".formatted(hole.first(), hole.end() - 1);
  }

  private static Map<String, Object> data(Contiguity found, List<SourceGap> acknowledged) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("state", state(found));
    data.put("topic", found.topic());
    data.put("partitions", found.partitions());
    data.put(
        "holes",
        found.holes().stream()
            .map(
                hole -> {
                  Map<String, Object> one = new LinkedHashMap<>();
                  one.put("partition", hole.partition());
                  one.put("first_offset", hole.first());
                  one.put("end_offset", hole.end());
                  one.put("kind", hole.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
                  return one;
                })
            .toList());
    data.put("holes_not_examined", found.unexamined());
    data.put("repeats", found.repeats());
    data.put("archive_kept_from", found.archiveKeptFrom().orElse(null));
    data.put("acknowledged", acknowledged);
    return data;
  }
}
