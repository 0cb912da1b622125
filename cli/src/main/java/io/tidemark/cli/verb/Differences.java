package io.tidemark.cli.verb;

import io.tidemark.reconcile.RowDifference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows that differ, for people and for programs. */
final class Differences {

  private Differences() {}

  static String text(List<RowDifference> differences) {
    StringBuilder text = new StringBuilder();
    for (RowDifference difference : differences) {
      text.append(
          "  %s [%s, %s) %s%n    before %s%n    after  %s%n"
              .formatted(
                  difference.kind(),
                  difference.windowStart(),
                  difference.windowEnd(),
                  difference.key(),
                  difference.before().orElse("no row"),
                  difference.after().orElse("no row")));
    }
    return text.toString();
  }

  static List<Map<String, Object>> data(List<RowDifference> differences) {
    return differences.stream()
        .map(
            difference -> {
              Map<String, Object> data = new LinkedHashMap<>();
              data.put("kind", difference.kind());
              data.put("window_start", difference.windowStart());
              data.put("window_end", difference.windowEnd());
              data.put("key", difference.key());
              difference.before().ifPresent(before -> data.put("before", before));
              difference.after().ifPresent(after -> data.put("after", after));
              return data;
            })
        .toList();
  }
}
