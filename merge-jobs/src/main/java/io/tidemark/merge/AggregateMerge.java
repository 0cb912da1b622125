package io.tidemark.merge;

import static org.apache.spark.sql.functions.lit;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.tables.MergeStatement;
import io.tidemark.tables.SqlLiteral;
import io.tidemark.tables.Upsert;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The MERGEs into the aggregates, by (window, key) with null keys equal. The source has one row per
 * (window, key).
 */
public final class AggregateMerge {

  /** In a settlement's source: what becomes of the row. */
  public static final String CHANGE = "change";

  /** A row of a settlement's source that is to be deleted. */
  public static final String PHANTOM = "phantom";

  private AggregateMerge() {}

  /**
   * The stream's: estimates replace estimates, and never a settled value.
   *
   * @param size the number of rows
   * @param frontier the batch's: windows that end by then are changed by no later one
   * @return an upsert of {@link #estimates}
   */
  public static Upsert ofEstimates(
      PipelineSpec spec, MergeScope scope, long size, Optional<Instant> frontier) {
    return new Upsert(
        size,
        statement(spec, scope),
        scope.predicate(),
        AggregateColumns.identity(spec).stream()
            .map(ColumnName::value)
            .filter(name -> !name.equals(AggregateColumns.WINDOW_END))
            .toList(),
        "`version` <> 0",
        frontier.map(through -> "`window_end` <= " + SqlLiteral.of(through)).orElse("false"));
  }

  /**
   * Rows as the aggregates have them.
   *
   * @param rows with the columns of {@code Aggregation.ofStream}
   */
  public static Dataset<Row> estimates(Dataset<Row> rows) {
    return rows.withColumn(AggregateColumns.VERSION, lit(0L));
  }

  private static MergeStatement statement(PipelineSpec spec, MergeScope scope) {
    return new MergeStatement(
        relations ->
            """
            MERGE INTO %s t
            USING %s s
            ON %s
            WHEN MATCHED AND t.`version` = 0 THEN UPDATE SET
              %s
            WHEN NOT MATCHED THEN INSERT (
              %s,
              `version`)
            VALUES (
              %s,
              0)"""
                .formatted(
                    relations.target(),
                    relations.source(),
                    condition(spec, scope),
                    assignments(measures(spec)),
                    names(row(spec)),
                    values(row(spec))));
  }

  /**
   * The settlement's: a higher version replaces a lower one, missing rows are inserted, and
   * phantoms, flagged as such in the source, are deleted. ({@code WHEN NOT MATCHED BY SOURCE} would
   * make the MERGE read, and conflict with, the whole table.)
   *
   * @return a MERGE whose source has the aggregates' columns and {@link #CHANGE}
   */
  public static MergeStatement ofSettlement(PipelineSpec spec, MergeScope scope) {
    return replacing(spec, scope, "s.`version` > t.`version`");
  }

  /**
   * An undoing's: rows of the settlement's version get back what they were, rows that it inserted
   * are deleted, and rows that it deleted are inserted.
   *
   * @return a MERGE whose source has the aggregates' columns and {@link #CHANGE}: {@link #PHANTOM}
   *     for a row to be deleted
   */
  public static MergeStatement ofUndoing(PipelineSpec spec, MergeScope scope, long settlement) {
    return replacing(spec, scope, "t.`version` = " + settlement);
  }

  /**
   * @param replaceable which rows of the target may be touched
   */
  private static MergeStatement replacing(PipelineSpec spec, MergeScope scope, String replaceable) {
    List<String> updated = new ArrayList<>(measures(spec));
    updated.add(AggregateColumns.VERSION);
    List<String> inserted = new ArrayList<>(row(spec));
    inserted.add(AggregateColumns.VERSION);
    return new MergeStatement(
        relations ->
            """
            MERGE INTO %s t
            USING %s s
            ON %s
            WHEN MATCHED AND %s AND s.`change` = 'phantom' THEN DELETE
            WHEN MATCHED AND %s THEN UPDATE SET
              %s
            WHEN NOT MATCHED AND s.`change` <> 'phantom' THEN INSERT (
              %s)
            VALUES (
              %s)"""
                .formatted(
                    relations.target(),
                    relations.source(),
                    condition(spec, scope),
                    replaceable,
                    replaceable,
                    assignments(updated),
                    names(inserted),
                    values(inserted)));
  }

  private static String condition(PipelineSpec spec, MergeScope scope) {
    String keys =
        AggregateColumns.keys(spec).stream()
            .map(ColumnName::quoted)
            .map(key -> "\n  AND t.%s <=> s.%s".formatted(key, key))
            .collect(Collectors.joining());
    return scope.predicate() + "\n  AND t.`window_start` = s.`window_start`" + keys;
  }

  private static List<String> measures(PipelineSpec spec) {
    return AggregateColumns.measures(spec).stream().map(column -> column.name().value()).toList();
  }

  /** All columns of a row but its version. */
  private static List<String> row(PipelineSpec spec) {
    List<String> columns = new ArrayList<>();
    columns.add(AggregateColumns.WINDOW_START);
    columns.add(AggregateColumns.WINDOW_END);
    AggregateColumns.keys(spec).forEach(key -> columns.add(key.value()));
    columns.addAll(measures(spec));
    columns.add(spec.partition().columnName());
    return columns;
  }

  private static String assignments(List<String> columns) {
    return columns.stream()
        .map(column -> "t.`%s` = s.`%s`".formatted(column, column))
        .collect(Collectors.joining(",\n  "));
  }

  private static String names(List<String> columns) {
    return columns.stream().map(column -> "`" + column + "`").collect(Collectors.joining(",\n  "));
  }

  private static String values(List<String> columns) {
    return columns.stream()
        .map(column -> "s.`" + column + "`")
        .collect(Collectors.joining(",\n  "));
  }
}
