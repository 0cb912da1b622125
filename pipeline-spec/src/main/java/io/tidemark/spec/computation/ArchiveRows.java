package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.to_date;
import static org.apache.spark.sql.functions.when;

import io.tidemark.spec.EventSpec;
import io.tidemark.spec.Source;
import java.time.Duration;
import java.util.Arrays;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;

/**
 * Turns what a source hands over into archive rows, one for each record, good or not. Nothing in a
 * record can make it fail.
 */
public final class ArchiveRows {

  private ArchiveRows() {}

  /**
   * One archive row for each record that {@code ingest} reads; blank lines and CSV header lines are
   * no records.
   *
   * @param records of files: for text formats the lines, in a column {@code value}, for Parquet the
   *     event's columns, both with Spark's file {@code _metadata}; of Kafka: Spark's columns of a
   *     record, with its headers
   * @return rows of {@link ArchiveColumns#schema}
   */
  public static Dataset<Row> of(Dataset<Row> records, EventSpec event, Source source) {
    return rows(
        SourceRecords.parsed(records, event, source),
        event,
        source,
        coalesce(problem(event), tooOld(event)),
        lit(null).cast(DataTypes.StringType));
  }

  /** The same of a file of history, as {@link Source#history} says that it is to be read. */
  public static Dataset<Row> sampled(Dataset<Row> records, EventSpec event, Source source) {
    return rows(
        SourceRecords.history(records, event, source),
        event,
        source,
        coalesce(problem(event), tooOld(event)),
        lit(null).cast(DataTypes.StringType));
  }

  /**
   * The same of history that is imported: marked, and none of it too old.
   *
   * @param importId names the import
   */
  public static Dataset<Row> imported(
      Dataset<Row> records, EventSpec event, Source source, String importId) {
    return rows(
        SourceRecords.history(records, event, source),
        event,
        source,
        problem(event),
        lit(importId));
  }

  /** The archive's rows that {@code ingest} read: all that a stream ever sees. */
  public static Dataset<Row> ingested(Dataset<Row> archive) {
    return archive.filter(col(ArchiveColumns.IMPORT_ID).isNull());
  }

  private static Dataset<Row> rows(
      Dataset<Row> parsed, EventSpec event, Source source, Column problem, Column importId) {
    Column timeOfEvent = EventTimes.read(event.time(), col(ArchiveColumns.EVENT));
    Column sourceTimestamp =
        event
            .sourceTimestamp()
            .map(time -> EventTimes.read(time, col(ArchiveColumns.EVENT)))
            .orElse(lit(null).cast(DataTypes.TimestampType));
    Column arrival =
        event
            .arrival()
            .map(time -> EventTimes.read(time, col(ArchiveColumns.EVENT)))
            .orElse(col(SourceRecords.ARRIVED));
    Dataset<Row> timed =
        parsed
            .withColumn(ArchiveColumns.EVENT_TIME, timeOfEvent)
            .withColumn(ArchiveColumns.SOURCE_TIMESTAMP, sourceTimestamp)
            .withColumn(ArchiveColumns.ARRIVAL_TIME, arrival)
            .withColumn(ArchiveColumns.PROBLEM, problem)
            .withColumn(ArchiveColumns.IMPORT_ID, importId);
    Column hasProblem = col(ArchiveColumns.PROBLEM).isNotNull();
    return timed
        .withColumn(ArchiveColumns.RAW, when(hasProblem, col(SourceRecords.RAW)))
        .withColumn(
            ArchiveColumns.EVENT_DATE,
            when(hasProblem, lit(null)).otherwise(to_date(col(ArchiveColumns.EVENT_TIME))))
        .select(
            Arrays.stream(ArchiveColumns.schema(event, source).fieldNames())
                .map(name -> col(name))
                .toArray(Column[]::new));
  }

  /** The first problem that applies, age aside. */
  private static Column problem(EventSpec event) {
    Column anyIdNull =
        event.id().stream()
            .map(id -> col(ArchiveColumns.EVENT).getField(id.value()).isNull())
            .reduce(lit(false), Column::or);
    Column time = col(ArchiveColumns.EVENT_TIME);
    Column arrival = col(ArchiveColumns.ARRIVAL_TIME);
    return coalesce(
        col(SourceRecords.DEFECT),
        when(time.isNull(), label(RecordProblem.NULL_EVENT_TIME)),
        when(anyIdNull, label(RecordProblem.NULL_EVENT_ID)),
        when(arrival.isNull(), label(RecordProblem.NULL_ARRIVAL_TIME)),
        when(
            time.gt(arrival.plus(interval(event.maxFutureSkew()))),
            label(RecordProblem.FUTURE_EVENT_TIME)));
  }

  private static Column tooOld(EventSpec event) {
    Column earliest = col(ArchiveColumns.ARRIVAL_TIME).minus(interval(event.maxAge()));
    return when(col(ArchiveColumns.EVENT_TIME).lt(earliest), label(RecordProblem.TOO_OLD));
  }

  private static Column label(RecordProblem problem) {
    return lit(problem.label());
  }

  private static Column interval(Duration duration) {
    return lit(duration);
  }
}
