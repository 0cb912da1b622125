package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;

import io.tidemark.spec.EventSpec;
import io.tidemark.spec.Source;
import java.util.Arrays;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The archive's columns: what was read, where from, when it arrived, and what is wrong with it. */
public final class ArchiveColumns {

  /** The record's columns, as the pipeline file's schema has them. */
  public static final String EVENT = "event";

  public static final String EVENT_TIME = "event_time";
  public static final String SOURCE_TIMESTAMP = "source_timestamp";
  public static final String ARRIVAL_TIME = "arrival_time";

  /** As {@link SourcePosition} has it. */
  public static final String SOURCE_POSITION = "source_position";

  /** A {@link RecordProblem}'s label; null: the record is good. */
  public static final String PROBLEM = "problem";

  /** The line or value as it was read; only where there is a problem. */
  public static final String RAW = "raw";

  /** Which import took the record into the archive; null: {@code ingest} did. */
  public static final String IMPORT_ID = "import_id";

  /** The partition: the event time's day in UTC; null where there is a problem. */
  public static final String EVENT_DATE = "event_date";

  /**
   * Not stored: the version of the archive that added the row, where a reader asks the table format
   * for it.
   */
  public static final String COMMIT_VERSION = "_tidemark_commit_version";

  private ArchiveColumns() {}

  /**
   * The archive with the event's columns as a pipeline file has them: without those that were
   * appended for another file, and null for those that are not archived yet.
   */
  static Dataset<Row> asSpecified(Dataset<Row> archive, EventSpec event) {
    StructType stored = (StructType) archive.schema().apply(EVENT).dataType();
    Set<String> names = Set.of(stored.fieldNames());
    Column[] columns =
        Arrays.stream(event.schema().fields())
            .map(
                field ->
                    (names.contains(field.name())
                            ? col(EVENT).getField(field.name())
                            : lit(null).cast(field.dataType()))
                        .as(field.name()))
            .toArray(Column[]::new);
    return archive.withColumn(EVENT, struct(columns));
  }

  public static StructType schema(EventSpec event, Source source) {
    return new StructType()
        .add(EVENT, event.schema())
        .add(EVENT_TIME, DataTypes.TimestampType)
        .add(SOURCE_TIMESTAMP, DataTypes.TimestampType)
        .add(ARRIVAL_TIME, DataTypes.TimestampType)
        .add(SOURCE_POSITION, SourcePosition.type(source))
        .add(PROBLEM, DataTypes.StringType)
        .add(RAW, DataTypes.StringType)
        .add(IMPORT_ID, DataTypes.StringType)
        .add(EVENT_DATE, DataTypes.DateType);
  }
}
