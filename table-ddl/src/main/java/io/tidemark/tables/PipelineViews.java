package io.tidemark.tables;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.RollUp;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.MeasureColumns;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The views that people read: each holds one generation, and says of each row how final it is.
 *
 * <p>The frontier is the newest row of the newest epoch of the table progress, never its maximum: a
 * stream that reads again from the start is not taken for one that is done.
 */
public final class PipelineViews {

  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final Function<TablePath, String> relation;
  private final String name;

  /**
   * Under the pipeline's name.
   *
   * @param relation how SQL text names a table, as {@link TableFormat#relation} does
   */
  public PipelineViews(
      PipelineSpec spec, PipelineTables tables, Function<TablePath, String> relation) {
    this(spec, tables, relation, spec.name().value());
  }

  /**
   * Under another name.
   *
   * @param name that of the main view, with which those of the others begin
   */
  public PipelineViews(
      PipelineSpec spec, PipelineTables tables, Function<TablePath, String> relation, String name) {
    this.name = name;
    this.spec = spec;
    this.tables = tables;
    this.relation = relation;
  }

  /** Query text by view name; a view uses only those before it. */
  public Map<String, String> queries() {
    Map<String, String> views = new LinkedHashMap<>();
    views.put(name + "_progress", progress());
    views.put(name, rows());
    views.put(
        name + "_settled", "SELECT *\nFROM `" + name + "`\nWHERE status IN ('settled', 'final')");
    for (RollUp rollUp : spec.rollUps()) {
      views.put(name + "_" + rollUp.viewSuffix(), rolledUp(rollUp));
    }
    views.put(name + "_corrections", corrections());
    return views;
  }

  private String progress() {
    return """
        SELECT
          p.frontier,
          p.frontier + %s AS on_time_through,
          s.settled_through,
          s.last_settlement,
          s.last_frontier,
          p.archive_version,
          p.published_at,
          timestampdiff(SECOND, p.published_at, current_timestamp()) AS seconds_since_step,
          g.generation,
          g.promoted_at
        FROM (SELECT generation, promoted_at FROM %s WHERE generation = '%s') g
        CROSS JOIN (
          SELECT
            max_by(frontier, struct(epoch, batch)) AS frontier,
            max_by(archive_version, struct(epoch, batch)) AS archive_version,
            max_by(published_at, struct(epoch, batch)) AS published_at
          FROM %s) p
        CROSS JOIN (
          SELECT
            max(settlement) AS last_settlement,
            max_by(settled_through, settlement) AS settled_through,
            max_by(frontier, settlement) AS last_frontier
          FROM %s) s"""
        .formatted(
            SqlLiteral.of(spec.watermark().allowedLateness()),
            relation.apply(tables.generations()),
            tables.generation(),
            relation.apply(tables.progress()),
            relation.apply(tables.settlements()));
  }

  private String rows() {
    Stream<String> measures =
        spec.measures().stream()
            .map(measure -> MeasureColumns.shown(measure) + " AS " + measure.name().quoted());
    return """
        SELECT
          window_start,
          window_end,
          %s,
          CASE
            WHEN version > 0 AND window_end + %s <= p.last_frontier THEN 'final'
            WHEN version > 0 THEN 'settled'
            WHEN window_end <= p.frontier THEN 'closed'
            WHEN window_end <= p.on_time_through THEN 'on-time'
            ELSE 'open'
          END AS status,
          version,
          p.generation
        FROM %s
        CROSS JOIN `%s_progress` p"""
        .formatted(
            columns(measures, AggregateColumns.EVENT_COUNT),
            admissible(),
            relation.apply(tables.aggregates()),
            name);
  }

  /** A coarser row is only as final as its whole span and the least final of its windows. */
  private String rolledUp(RollUp rollUp) {
    Stream<String> measures =
        spec.measures().stream()
            .map(measure -> MeasureColumns.rolledUp(measure) + " AS " + measure.name().quoted());
    String start = "date_trunc('%s', window_start)".formatted(rollUp.name());
    String end = start + " + " + SqlLiteral.of(rollUp.length());
    return """
        SELECT
          %1$s AS window_start,
          %2$s AS window_end,
          %3$s,
          CASE
            WHEN min(version) > 0 AND %2$s + %4$s <= max(p.last_frontier) THEN 'final'
            WHEN min(version) > 0 AND %2$s <= max(p.settled_through) THEN 'settled'
            WHEN %2$s <= max(p.frontier) THEN 'closed'
            WHEN %2$s <= max(p.on_time_through) THEN 'on-time'
            ELSE 'open'
          END AS status,
          max(version) AS version,
          max(p.generation) AS generation
        FROM %5$s
        CROSS JOIN `%6$s_progress` p
        GROUP BY %7$s"""
        .formatted(
            start,
            end,
            columns(measures, "sum(event_count) AS event_count"),
            admissible(),
            relation.apply(tables.aggregates()),
            name,
            Stream.concat(
                    Stream.of(start), AggregateColumns.keys(spec).stream().map(ColumnName::quoted))
                .collect(Collectors.joining(", ")));
  }

  /** The query of {@code <pipeline>_corrections}: those of the settlements in force. */
  public String corrections() {
    return """
        SELECT c.*, s.committed_at
        FROM %s c
        JOIN %s s ON c.settlement = s.settlement AND c.attempt = s.attempt
        LEFT ANTI JOIN %s u ON c.settlement = u.undoes"""
        .formatted(
            relation.apply(tables.corrections()),
            relation.apply(tables.settlements()),
            relation.apply(tables.settlements()));
  }

  private String columns(Stream<String> measures, String eventCount) {
    List<String> keys = AggregateColumns.keys(spec).stream().map(ColumnName::quoted).toList();
    return Stream.of(keys.stream(), measures, Stream.of(eventCount))
        .flatMap(column -> column)
        .collect(Collectors.joining(",\n  "));
  }

  private String admissible() {
    return SqlLiteral.of(spec.event().admissibleFor());
  }
}
