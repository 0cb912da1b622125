package io.tidemark.cli.verb;

import io.tidemark.tables.journal.SourceGap;
import java.util.List;
import java.util.stream.Collectors;

/** Gaps of the source that nobody has acknowledged, for people. */
final class SourceGaps {

  private SourceGaps() {}

  /** A line for each. */
  static List<String> lines(List<SourceGap> open) {
    return open.stream()
        .map(
            gap ->
                "Source gap: topic %s, %s were deleted before they were read. Acknowledge it with 'tidemark verify --source --acknowledge-gaps'."
                    .formatted(gap.topic(), gap.inWords()))
        .toList();
  }

  /** The lines behind an answer; nothing where there is no gap. */
  static String after(List<SourceGap> open) {
    return lines(open).stream().map(line -> "\n" + line).collect(Collectors.joining());
  }
}
