package io.tidemark.cli.verb;

import io.tidemark.ingest.ProblemCount;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Records by problem, for programs. */
final class ProblemCounts {

  private ProblemCounts() {}

  static List<Map<String, Object>> data(List<ProblemCount> problems) {
    return problems.stream().map(ProblemCounts::data).toList();
  }

  private static Map<String, Object> data(ProblemCount problem) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("problem", problem.problem());
    data.put("records", problem.records());
    problem.example().ifPresent(example -> data.put("example", example));
    return data;
  }
}
