package io.tidemark.cli.verb;

import io.tidemark.merge.AuditResult;
import io.tidemark.merge.Breach;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Limits that a settlement breaks, for people and for programs. */
final class Breaches {

  private Breaches() {}

  /**
   * A heading and a line for each breach; nothing where there is none.
   *
   * @param what follows "It breaks n limits of the pipeline file"
   */
  static String text(AuditResult audit, String what) {
    int number = audit.breaches().size();
    return number == 0
        ? ""
        : "It breaks %d limit%s of the pipeline file%s:\n%s\n"
            .formatted(
                number,
                number == 1 ? "" : "s",
                what,
                audit.breaches().stream()
                    .map(breach -> "  " + breach.description())
                    .collect(Collectors.joining("\n")));
  }

  static List<Map<String, Object>> data(AuditResult audit) {
    return audit.breaches().stream().map(Breaches::data).toList();
  }

  private static Map<String, Object> data(Breach breach) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("rule", breach.rule());
    data.put("limit", breach.limit().toString());
    data.put("measured", breach.measured());
    data.put("evidence", breach.evidence());
    return data;
  }
}
