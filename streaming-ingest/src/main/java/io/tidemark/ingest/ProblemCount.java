package io.tidemark.ingest;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.first;
import static org.apache.spark.sql.functions.lit;

import io.tidemark.spec.computation.ArchiveColumns;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Records with one problem.
 *
 * @param example one of them, as read; empty for Parquet
 */
public record ProblemCount(String problem, long records, Optional<String> example) {

  /** Counts archive rows by problem, as one Spark job. */
  static List<ProblemCount> of(Dataset<Row> archive) {
    return archive
        .filter(col(ArchiveColumns.PROBLEM).isNotNull())
        .groupBy(ArchiveColumns.PROBLEM)
        .agg(count(lit(1)), first(col(ArchiveColumns.RAW)))
        .orderBy(ArchiveColumns.PROBLEM)
        .collectAsList()
        .stream()
        .map(
            row ->
                new ProblemCount(
                    row.getString(0), row.getLong(1), Optional.ofNullable(row.getString(2))))
        .toList();
  }
}
