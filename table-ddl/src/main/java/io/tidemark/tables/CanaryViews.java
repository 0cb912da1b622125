package io.tidemark.tables;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.Measure;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.error.SpecException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The views while a candidate is served to a share of users: those of the live generation and of
 * the candidate under names of their own, and under the usual ones whichever of the two the user
 * sees. All rows of an answer are of one generation, for the choice depends on the user alone.
 */
public final class CanaryViews {

  private final ServedGeneration live;
  private final ServedGeneration candidate;
  private final Function<TablePath, String> relation;

  /**
   * @param relation how SQL text names a table, as {@link TableFormat#relation} does
   * @throws SpecException if the candidate does not have all that readers of the live one know
   */
  public CanaryViews(
      ServedGeneration live, ServedGeneration candidate, Function<TablePath, String> relation) {
    requireSameColumns(live.spec(), candidate.spec());
    this.live = live;
    this.candidate = candidate;
    this.relation = relation;
  }

  /** Looks whether readers of the live generation would miss nothing in the candidate. */
  public static void requireSameColumns(PipelineSpec live, PipelineSpec candidate) {
    List<String> missing = new ArrayList<>();
    if (!live.keys().equals(candidate.keys())) {
      missing.add("the same keys");
    }
    for (Measure measure : live.measures()) {
      if (candidate.measures().stream().noneMatch(other -> other.name().equals(measure.name()))) {
        missing.add("the measure " + measure.name());
      }
    }
    if (!missing.isEmpty()) {
      throw new SpecException(
          "The candidate can't be served to a share of the users: it has not "
              + String.join(", ", missing)
              + ". Promote it instead, when its readers are ready.");
    }
  }

  /**
   * Whether a user sees the candidate, as SQL. A user who does with some percentage does with each
   * higher one.
   *
   * @param user SQL that gives the user's name
   */
  public static String condition(PipelineSpec spec, int percent, String user) {
    return "pmod(crc32(concat('%s/', %s)), 100) < %d".formatted(spec.name(), user, percent);
  }

  /**
   * Query text by view name; a view uses only those before it.
   *
   * @param condition whether the candidate is shown, as SQL
   */
  public Map<String, String> queries(String condition) {
    String name = live.spec().name().value();
    String liveName = name + "_live";
    String candidateName = name + "_candidate";
    Map<String, String> views = new LinkedHashMap<>(views(live, liveName));
    Map<String, String> candidates = views(candidate, candidateName);
    views.putAll(candidates);
    for (String view : views(live, liveName).keySet()) {
      String suffix = view.substring(liveName.length());
      boolean inBoth =
          candidates.containsKey(candidateName + suffix) && !suffix.equals("_corrections");
      views.put(
          name + suffix,
          inBoth
              ? either(suffix.equals("_progress") ? "*" : columns(), suffix, condition)
              : "SELECT * FROM `" + view + "`");
    }
    return views;
  }

  private String either(String columns, String suffix, String condition) {
    String name = live.spec().name().value();
    return """
        SELECT %1$s FROM `%2$s_live%3$s` WHERE NOT (%4$s)
        UNION ALL
        SELECT %1$s FROM `%2$s_candidate%3$s` WHERE %4$s"""
        .formatted(columns, name, suffix, condition);
  }

  private Map<String, String> views(ServedGeneration generation, String name) {
    return new PipelineViews(generation.spec(), generation.tables(), relation, name).queries();
  }

  /** What readers of the live generation know, in one order for both. */
  private String columns() {
    List<String> columns = new ArrayList<>();
    columns.add(AggregateColumns.WINDOW_START);
    columns.add(AggregateColumns.WINDOW_END);
    AggregateColumns.keys(live.spec()).stream().map(ColumnName::quoted).forEach(columns::add);
    live.spec().measures().forEach(measure -> columns.add(measure.name().quoted()));
    columns.addAll(
        List.of(AggregateColumns.EVENT_COUNT, "status", AggregateColumns.VERSION, "generation"));
    return String.join(", ", columns);
  }
}
