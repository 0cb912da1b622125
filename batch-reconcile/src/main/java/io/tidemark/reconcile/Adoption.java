package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.tidemark.merge.AggregateMerge;
import io.tidemark.merge.SettlementMark;
import io.tidemark.merge.SettlementMarks.Adopted;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.StoredColumn;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Writes a settlement: first the corrections, named by attempt, then the versioned MERGE, which is
 * the only commit point. A crash before it leaves the old state, and corrections that no view
 * shows.
 */
final class Adoption {

  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final SettlementCommits commits;

  Adoption(
      PipelineSpec spec, PipelineTables tables, TableFormat format, SettlementCommits commits) {
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.commits = commits;
  }

  /** Keeps the corrections and adopts nothing: no view shows them, as no commit has the attempt. */
  void writeCorrections(ClassifiedRows classified, SettlementMark mark) {
    if (classified.differences() > 0) {
      format.append(tables.corrections(), corrections(classified.rows(), mark));
    }
  }

  /**
   * Adopts.
   *
   * @return the commit; empty where another settlement had taken the number
   */
  Optional<Adopted> write(ClassifiedRows classified, SettlementMark mark) {
    writeCorrections(classified, mark);
    return commits.commit(
        mark,
        classified.scope(),
        scope -> AggregateMerge.ofSettlement(spec, scope),
        mergeSource(classified.rows(), mark));
  }

  private Dataset<Row> corrections(Dataset<Row> classified, SettlementMark mark) {
    List<Column> columns = new ArrayList<>();
    columns.add(lit(mark.settlement()).as("settlement"));
    columns.add(lit(mark.attempt()).as("attempt"));
    columns.add(col(Classification.KIND));
    columns.add(col(AggregateColumns.WINDOW_START));
    columns.add(col(AggregateColumns.WINDOW_END));
    AggregateColumns.keys(spec).forEach(key -> columns.add(col(key.quoted())));
    columns.add(col(Classification.BEFORE));
    columns.add(col(Classification.AFTER));
    return classified.filter(differs()).select(columns.toArray(Column[]::new));
  }

  /** Newly settled rows all get the version; of the settled ones only those that differ. */
  private Dataset<Row> mergeSource(Dataset<Row> classified, SettlementMark mark) {
    List<Column> columns = new ArrayList<>();
    columns.add(col(AggregateColumns.WINDOW_START));
    columns.add(col(AggregateColumns.WINDOW_END));
    AggregateColumns.keys(spec).forEach(key -> columns.add(col(key.quoted())));
    for (StoredColumn measure : AggregateColumns.measures(spec)) {
      String name = measure.name().value();
      columns.add(col(Classification.AFTER).getField(name).as(name));
    }
    columns.add(lit(mark.settlement()).as(AggregateColumns.VERSION));
    columns.add(col(spec.partition().columnName()));
    columns.add(col(Classification.KIND).as(AggregateMerge.CHANGE));
    return classified
        .filter(col(ClassifiedRows.NEWLY_SETTLED).or(differs()))
        .select(columns.toArray(Column[]::new));
  }

  private static Column differs() {
    return col(Classification.KIND).notEqual(RowKind.AGREE.label());
  }
}
