package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.when;

import io.tidemark.merge.AggregateMerge;
import io.tidemark.merge.MergeScope;
import io.tidemark.merge.SettlementMark;
import io.tidemark.merge.SettlementMarks.Adopted;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.StoredColumn;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Writes a settlement: first the corrections, named by attempt, then the rows, which is the only
 * commit point. A crash before it leaves the old state, and corrections that no view shows.
 *
 * <p>Pairs among settled rows are adopted by a versioned MERGE; partitions that were recounted
 * whole are replaced (docs/decisions/0006), unless they hold frozen rows.
 */
final class Adoption {

  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final SettlementCommits commits;
  private final KeptArchive kept;

  /**
   * @param kept by which the rows were recounted
   */
  Adoption(
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      SettlementCommits commits,
      KeptArchive kept) {
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.commits = commits;
    this.kept = kept;
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
  Optional<Adopted> write(SettlePlan plan, ClassifiedRows classified, SettlementMark mark) {
    writeCorrections(classified, mark);
    return commits.commit(
        mark,
        classified
            .scope()
            .map(
                scope ->
                    label -> {
                      if (plan.isOfWholePartitions() && !holdsFrozenRows(scope)) {
                        format.replace(
                            tables.aggregates(),
                            scope.partitionPredicate(),
                            recountedRows(classified.rows(), scope, mark),
                            label);
                      } else {
                        format.merge(
                            tables.aggregates(),
                            AggregateMerge.ofSettlement(spec, scope),
                            mergeSource(classified.rows(), mark),
                            label);
                      }
                    }));
  }

  /** Rows that were left out of the recount, and that a replacement would lose. */
  private boolean holdsFrozenRows(MergeScope scope) {
    return scope.partitions().stream()
        .map(start -> spec.window().firstStartOfEndAfter(start))
        .anyMatch(kept::freezes);
  }

  private Dataset<Row> corrections(Dataset<Row> classified, SettlementMark mark) {
    List<Column> columns = new ArrayList<>();
    columns.add(lit(mark.settlement()).as("settlement"));
    columns.add(lit(mark.attempt()).as("attempt"));
    columns.add(col(Classification.KIND));
    AggregateColumns.identity(spec).forEach(name -> columns.add(col(name.quoted())));
    columns.add(col(Classification.BEFORE));
    columns.add(col(Classification.AFTER));
    return classified.filter(Classification.differs()).select(columns.toArray(Column[]::new));
  }

  /** Newly settled rows all get the version; of the settled ones only those that differ. */
  private Dataset<Row> mergeSource(Dataset<Row> classified, SettlementMark mark) {
    List<Column> columns = row(Adoption::after, lit(mark.settlement()));
    columns.add(col(Classification.KIND).as(AggregateMerge.CHANGE));
    return classified.filter(changes()).select(columns.toArray(Column[]::new));
  }

  /** All rows that there are after it, one file for each partition. */
  private Dataset<Row> recountedRows(
      Dataset<Row> classified, MergeScope scope, SettlementMark mark) {
    return classified
        .filter(col(Classification.KIND).notEqual(RowKind.PHANTOM.label()))
        .select(
            row(
                    name -> when(changes(), after(name)).otherwise(before(name)),
                    when(changes(), lit(mark.settlement()))
                        .otherwise(before(AggregateColumns.VERSION)))
                .toArray(Column[]::new))
        .repartition(scope.partitions().size(), col(spec.partition().columnName()));
  }

  private List<Column> row(Function<String, Column> measure, Column version) {
    List<Column> columns = new ArrayList<>();
    AggregateColumns.identity(spec).forEach(name -> columns.add(col(name.quoted())));
    for (StoredColumn column : AggregateColumns.measures(spec)) {
      String name = column.name().value();
      columns.add(measure.apply(name).as(name));
    }
    columns.add(version.as(AggregateColumns.VERSION));
    columns.add(col(spec.partition().columnName()));
    return columns;
  }

  private static Column before(String name) {
    return col(Classification.BEFORE).getField(name);
  }

  private static Column after(String name) {
    return col(Classification.AFTER).getField(name);
  }

  private static Column changes() {
    return col(ClassifiedRows.NEWLY_SETTLED).or(Classification.differs());
  }
}
