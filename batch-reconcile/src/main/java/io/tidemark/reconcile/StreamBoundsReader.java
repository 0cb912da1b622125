package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.greatest;
import static org.apache.spark.sql.functions.lag;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min_by;
import static org.apache.spark.sql.functions.sequence;
import static org.apache.spark.sql.functions.struct;

import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.computation.StreamBounds;
import io.tidemark.tables.journal.ProgressJournal;
import io.tidemark.tables.journal.ProgressStep;
import java.time.Instant;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.expressions.WindowSpec;

/**
 * Reads from the progress table what the stream had closed when it read each commit of the archive:
 * the frontier of the step before the first one that covers the commit, or the settled boundary
 * that this one's merge respected, whichever is later.
 */
final class StreamBoundsReader {

  private StreamBoundsReader() {}

  static StreamBounds read(ProgressJournal progress, Optional<ProgressStep> newest) {
    WindowSpec order = Window.partitionBy("epoch").orderBy("batch");
    Column before = coalesce(lag("archive_version", 1).over(order), lit(-1L));
    Column streamed =
        col("epoch").notEqual(ProgressStep.BUILD).and(col("batch").notEqual(ProgressStep.OPENING));
    Dataset<Row> byCommit =
        progress
            .rows()
            .withColumn("first", before.plus(1))
            .withColumn("frontier_before", lag("frontier", 1).over(order))
            .filter(streamed.and(col("archive_version").geq(col("first"))))
            .select(
                explode(sequence(col("first"), col("archive_version")))
                    .as(ArchiveColumns.COMMIT_VERSION),
                greatest(col("frontier_before"), col("settled_through"))
                    .as(StreamBounds.CLOSED_THROUGH),
                struct("epoch", "batch").as("step"),
                lit(null).cast("timestamp").as(StreamBounds.BUILT_THROUGH))
            .unionByName(built(progress), true)
            .groupBy(ArchiveColumns.COMMIT_VERSION)
            .agg(
                count("step").gt(0).as(StreamBounds.STREAMED),
                min_by(col(StreamBounds.CLOSED_THROUGH), col("step"))
                    .as(StreamBounds.CLOSED_THROUGH),
                max(StreamBounds.BUILT_THROUGH).as(StreamBounds.BUILT_THROUGH));
    Optional<Instant> now = newest.flatMap(ProgressStep::frontier);
    return new StreamBounds(byCommit, now);
  }

  /** The commits that a rebuild has counted. */
  private static Dataset<Row> built(ProgressJournal progress) {
    return progress
        .rows()
        .filter(col("epoch").equalTo(ProgressStep.BUILD))
        .select(
            explode(sequence(lit(0L), col("archive_version"))).as(ArchiveColumns.COMMIT_VERSION),
            col("settled_through").as(StreamBounds.BUILT_THROUGH));
  }
}
