package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.from_csv;
import static org.apache.spark.sql.functions.from_json;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.md5;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_date;
import static org.apache.spark.sql.functions.trim;
import static org.apache.spark.sql.functions.when;

import io.tidemark.spec.EventSpec;
import io.tidemark.spec.FileFormat;
import io.tidemark.spec.Source;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Turns what a source hands over into archive rows, one for each record, good or not. Nothing in a
 * record can make it fail.
 */
public final class ArchiveRows {

  private static final String LINE = "value";
  private static final String PARSED = "_tidemark_parsed";
  private static final String CORRUPT = "_tidemark_corrupt";

  private ArchiveRows() {}

  /**
   * One archive row for each record that {@code ingest} reads; blank lines and CSV header lines are
   * no records.
   *
   * @param records for text formats the lines, in a column {@code value}; for Parquet the event's
   *     columns; both with Spark's file {@code _metadata}
   * @return rows of {@link ArchiveColumns#schema}
   */
  public static Dataset<Row> of(Dataset<Row> records, EventSpec event, Source.Files source) {
    return rows(
        records,
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
      Dataset<Row> records, EventSpec event, Source.Files source, String importId) {
    return rows(records, event, source, problem(event), lit(importId));
  }

  /** The archive's rows that {@code ingest} read: all that a stream ever sees. */
  public static Dataset<Row> ingested(Dataset<Row> archive) {
    return archive.filter(col(ArchiveColumns.IMPORT_ID).isNull());
  }

  private static Dataset<Row> rows(
      Dataset<Row> records, EventSpec event, Source.Files source, Column problem, Column importId) {
    Dataset<Row> parsed = source.format().isText() ? lines(records, event, source) : rows(records);
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
            .orElse(col("_tidemark_modified"));
    Dataset<Row> timed =
        parsed
            .withColumn(ArchiveColumns.EVENT_TIME, timeOfEvent)
            .withColumn(ArchiveColumns.SOURCE_TIMESTAMP, sourceTimestamp)
            .withColumn(ArchiveColumns.ARRIVAL_TIME, arrival)
            .withColumn(ArchiveColumns.PROBLEM, problem)
            .withColumn(ArchiveColumns.IMPORT_ID, importId);
    Column hasProblem = col(ArchiveColumns.PROBLEM).isNotNull();
    return timed
        .withColumn(ArchiveColumns.RAW, when(hasProblem, col("_tidemark_raw")))
        .withColumn(
            ArchiveColumns.EVENT_DATE,
            when(hasProblem, lit(null)).otherwise(to_date(col(ArchiveColumns.EVENT_TIME))))
        .select(
            Arrays.stream(ArchiveColumns.schema(event).fieldNames())
                .map(name -> col(name))
                .toArray(Column[]::new));
  }

  private static Dataset<Row> lines(Dataset<Row> records, EventSpec event, Source.Files source) {
    StructType withCorrupt = event.schema().add(CORRUPT, DataTypes.StringType);
    Map<String, String> options = new HashMap<>(source.options());
    options.put("mode", "PERMISSIVE");
    options.put("columnNameOfCorruptRecord", CORRUPT);
    Column parsed =
        source.format() == FileFormat.CSV
            ? from_csv(col(LINE), lit(withCorrupt.toDDL()), options)
            : from_json(col(LINE), withCorrupt, options);
    Column[] fields =
        Arrays.stream(event.schema().fields())
            .map(field -> col(PARSED).getField(field.name()).as(field.name()))
            .toArray(Column[]::new);
    return records
        .filter(trim(col(LINE)).notEqual("").and(notAHeader(event, source)))
        .select(
            col(LINE).as("_tidemark_raw"),
            col("_metadata.file_path").as("_tidemark_path"),
            col("_metadata.file_modification_time").as("_tidemark_modified"),
            parsed.as(PARSED))
        .select(
            col("_tidemark_raw"),
            col("_tidemark_modified"),
            position(
                col("_tidemark_path"),
                lit(null).cast(DataTypes.LongType),
                md5(col("_tidemark_raw").cast(DataTypes.BinaryType))),
            struct(fields).as(ArchiveColumns.EVENT),
            col(PARSED).isNull().or(col(PARSED).getField(CORRUPT).isNotNull()).as(CORRUPT));
  }

  private static Dataset<Row> rows(Dataset<Row> records) {
    Column[] fields =
        Arrays.stream(records.schema().fieldNames())
            .map(name -> col("`" + name + "`"))
            .toArray(Column[]::new);
    return records.select(
        lit(null).cast(DataTypes.StringType).as("_tidemark_raw"),
        col("_metadata.file_modification_time").as("_tidemark_modified"),
        position(
            col("_metadata.file_path"),
            col("_metadata.row_index"),
            lit(null).cast(DataTypes.StringType)),
        struct(fields).as(ArchiveColumns.EVENT),
        lit(false).as(CORRUPT));
  }

  private static Column position(Column path, Column rowIndex, Column recordHash) {
    return struct(path.as("path"), rowIndex.as("row_index"), recordHash.as("record_hash"))
        .as(ArchiveColumns.SOURCE_POSITION);
  }

  /** With {@code header: true}, the line of the column names, quoted or not, is no record. */
  private static Column notAHeader(EventSpec event, Source.Files source) {
    if (source.format() != FileFormat.CSV
        || !Boolean.parseBoolean(source.options().getOrDefault("header", "false"))) {
      return lit(true);
    }
    String separator =
        source.options().getOrDefault("sep", source.options().getOrDefault("delimiter", ","));
    String quote = source.options().getOrDefault("quote", "\"");
    List<String> names = Arrays.stream(event.schema().fields()).map(StructField::name).toList();
    String plain = String.join(separator, names);
    String quoted =
        names.stream().map(name -> quote + name + quote).collect(Collectors.joining(separator));
    String byteOrderMark = "\uFEFF";
    Object[] headers = {plain, quoted, byteOrderMark + plain, byteOrderMark + quoted};
    return lit(true).notEqual(trim(col(LINE)).isin(headers));
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
        when(col(CORRUPT), label(RecordProblem.MALFORMED)),
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
