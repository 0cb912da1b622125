package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.greatest;
import static org.apache.spark.sql.functions.lag;
import static org.apache.spark.sql.functions.lit;
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
    Dataset<Row> byCommit =
        progress
            .rows()
            .withColumn("first", before.plus(1))
            .withColumn("frontier_before", lag("frontier", 1).over(order))
            .filter(col("archive_version").geq(col("first")))
            .select(
                explode(sequence(col("first"), col("archive_version")))
                    .as(ArchiveColumns.COMMIT_VERSION),
                greatest(col("frontier_before"), col("settled_through"))
                    .as(StreamBounds.CLOSED_THROUGH),
                struct("epoch", "batch").as("step"))
            .groupBy(ArchiveColumns.COMMIT_VERSION)
            .agg(
                min_by(col(StreamBounds.CLOSED_THROUGH), col("step"))
                    .as(StreamBounds.CLOSED_THROUGH));
    Optional<Instant> now = newest.flatMap(ProgressStep::frontier);
    return new StreamBounds(byCommit, now);
  }
}
