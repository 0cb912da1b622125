package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.greatest;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.when;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * What the stream had closed when it read each commit of the archive: an event is left out of a
 * window that ended at or before that bound. Never found by subtraction, so that a balance made of
 * it can fail.
 *
 * <p>Example: batch 7 read commit 12; the step before it published the frontier 12:01:10. An event
 * of commit 12 in the window [12:00, 12:01) was left out, one in [12:01, 12:02) was not.
 *
 * @param byCommit a row per commit: {@link ArchiveColumns#COMMIT_VERSION}, {@link #STREAMED},
 *     {@link #CLOSED_THROUGH} (null: nothing) and {@link #BUILT_THROUGH} (null: nothing)
 * @param now the bound for commits that the stream has not read yet
 */
public record StreamBounds(Dataset<Row> byCommit, Optional<Instant> now) {

  public static final String CLOSED_THROUGH = "closed_through";

  /** Whether the stream has read the commit. */
  public static final String STREAMED = "streamed";

  /** Windows that end by then have the commit's events from a rebuild, and of no stream. */
  public static final String BUILT_THROUGH = "built_through";

  /** Whether the stream left the membership out. */
  static final String TOO_LATE = "_tidemark_too_late";

  /** Where Spark's watermark starts: no window that ends by then ever gets an estimate. */
  private static final Instant FIRST_WATERMARK = Instant.EPOCH;

  /** Whether a rebuild has counted the membership. */
  static final String BUILT = "_tidemark_built";

  /** Where no stream has run. */
  public static StreamBounds none(SparkSession spark) {
    StructType schema =
        new StructType()
            .add(ArchiveColumns.COMMIT_VERSION, DataTypes.LongType)
            .add(STREAMED, DataTypes.BooleanType)
            .add(CLOSED_THROUGH, DataTypes.TimestampType)
            .add(BUILT_THROUGH, DataTypes.TimestampType);
    return new StreamBounds(spark.createDataFrame(List.of(), schema), Optional.empty());
  }

  /** The same where the windows that end at or before an instant are settled. */
  public StreamBounds settledThrough(Instant boundary) {
    return new StreamBounds(
        byCommit, Optional.of(now.filter(bound -> bound.isAfter(boundary)).orElse(boundary)));
  }

  /**
   * Adds {@link #CLOSED_THROUGH}, {@link #TOO_LATE} and {@link #BUILT} to memberships with a commit
   * version.
   */
  Dataset<Row> mark(Dataset<Row> memberships) {
    Column closedThrough =
        when(col(STREAMED), col(CLOSED_THROUGH)).otherwise(lit(now.orElse(null)));
    Column built = coalesce(col(Memberships.WINDOW_END).leq(col(BUILT_THROUGH)), lit(false));
    return memberships
        .join(
            broadcast(byCommit),
            memberships
                .col(ArchiveColumns.COMMIT_VERSION)
                .equalTo(byCommit.col(ArchiveColumns.COMMIT_VERSION)),
            "left")
        .drop(byCommit.col(ArchiveColumns.COMMIT_VERSION))
        .withColumn(
            CLOSED_THROUGH,
            greatest(closedThrough.cast(DataTypes.TimestampType), lit(FIRST_WATERMARK)))
        .withColumn(BUILT, built)
        .withColumn(
            TOO_LATE, col(Memberships.WINDOW_END).leq(col(CLOSED_THROUGH)).and(not(col(BUILT))))
        .drop(STREAMED, BUILT_THROUGH);
  }
}
