package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.when;

import io.tidemark.spec.PipelineSpec;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The fates of archived records. Each is counted by its own rule, so that {@code archived =
 * rejected + filtered + considered} is able to fail.
 *
 * @param rejected records with a problem
 * @param filtered good records for which the spec's filter is not true
 * @param considered good records for which it is
 */
public record RecordCounts(long archived, long rejected, long filtered, long considered) {

  /** Counts, as one Spark job. */
  public static RecordCounts of(Dataset<Row> archive, PipelineSpec spec) {
    String problem = "_tidemark_problem";
    Column good = col(problem).isNull();
    Column passes =
        spec.filter()
            .map(filter -> coalesce(FailSafeExpression.of(filter), lit(false)))
            .orElse(lit(true));
    Row counts =
        ArchiveColumns.asSpecified(archive, spec.event())
            .select(col(ArchiveColumns.EVENT + ".*"), col(ArchiveColumns.PROBLEM).as(problem))
            .agg(
                count(lit(1)),
                count(when(not(good), lit(1))),
                count(when(good.and(not(passes)), lit(1))),
                count(when(good.and(passes), lit(1))))
            .head();
    return new RecordCounts(
        counts.getLong(0), counts.getLong(1), counts.getLong(2), counts.getLong(3));
  }
}
