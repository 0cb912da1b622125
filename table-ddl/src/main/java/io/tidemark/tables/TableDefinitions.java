package io.tidemark.tables;

import static io.tidemark.tables.ColumnDefinition.optional;
import static io.tidemark.tables.ColumnDefinition.required;
import static org.apache.spark.sql.types.DataTypes.DateType;
import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;
import static org.apache.spark.sql.types.DataTypes.TimestampType;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.Source;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.computation.StoredColumn;
import io.tidemark.tables.TableDefinition.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.types.StructType;

/** The tables of a pipeline, as {@code init} creates them. */
public final class TableDefinitions {

  private TableDefinitions() {}

  public static TableDefinition archive(PipelineSpec spec) {
    boolean ofKafka = spec.source() instanceof Source.Kafka;
    StructType schema = ArchiveColumns.schema(spec.event(), spec.source());
    return new TableDefinition(
        "Every record that pipeline "
            + spec.name()
            + " has read, good or rejected. The only truth: all else can be recounted from it.",
        List.of(
            optional(
                ArchiveColumns.EVENT,
                schema.apply(ArchiveColumns.EVENT).dataType(),
                "The record's columns, as the pipeline file's event.schema has them"),
            optional(
                ArchiveColumns.EVENT_TIME,
                TimestampType,
                "When it happened (UTC), read from " + spec.event().time().column()),
            optional(
                ArchiveColumns.SOURCE_TIMESTAMP,
                TimestampType,
                "When the source wrote this version of it (UTC)"),
            optional(
                ArchiveColumns.ARRIVAL_TIME,
                TimestampType,
                "When the pipeline could first see it (UTC); all lateness is judged by it"),
            required(
                ArchiveColumns.SOURCE_POSITION,
                schema.apply(ArchiveColumns.SOURCE_POSITION).dataType(),
                ofKafka
                    ? "Topic, partition and offset; of what was imported file and MD5 of the line"
                    : "File and row index (Parquet) or file and MD5 of the line (JSON, CSV)"),
            optional(
                ArchiveColumns.PROBLEM,
                StringType,
                "Why the record is not counted; null: it is good. "
                    + (ofKafka ? "tombstone, " : "")
                    + "malformed, null-event-time, null-event-id, null-arrival-time, "
                    + "future-event-time or too-old"),
            optional(
                ArchiveColumns.RAW,
                StringType,
                ofKafka
                    ? "The value as read, where there is a problem; in base64 what is no text"
                    : "The line as read, where there is a problem"),
            optional(
                ArchiveColumns.IMPORT_ID,
                StringType,
                "The import that took it in, which the stream skips; null: it was ingested"),
            optional(
                ArchiveColumns.EVENT_DATE,
                DateType,
                "Day of the event time (UTC), the partition; null where there is a problem")),
        Optional.of(ArchiveColumns.EVENT_DATE),
        new TreeMap<>(),
        Set.of(Trait.CHANGES_KEPT));
  }

  public static TableDefinition aggregates(PipelineSpec spec) {
    List<ColumnDefinition> columns = new ArrayList<>();
    columns.add(
        required(
            AggregateColumns.WINDOW_START,
            TimestampType,
            "Start of the window, inclusive (event time, UTC)"));
    columns.add(
        required(
            AggregateColumns.WINDOW_END,
            TimestampType,
            "End of the window, exclusive (event time, UTC)"));
    spec.keys()
        .forEach(
            key -> columns.add(optional(key.name().value(), key.type(), "Key; null is a group")));
    for (StoredColumn measure : AggregateColumns.measures(spec)) {
      columns.add(optional(measure.name().value(), measure.type(), measure.comment()));
    }
    columns.add(
        required(
            AggregateColumns.VERSION,
            LongType,
            "0: an estimate of the stream; n: exact, adopted by settlement n"));
    columns.add(
        required(
            spec.partition().columnName(),
            AggregateColumns.partitionType(spec.partition()),
            "The partition: the " + unit(spec) + " of window_end - 1 microsecond"));
    return new TableDefinition(
        "Aggregates of pipeline " + spec.name() + ", one row per window and key.",
        columns,
        Optional.of(spec.partition().columnName()),
        new TreeMap<>(
            Map.of(
                "version_is_0_or_a_settlement", "version >= 0",
                "window_ends_after_its_start", "window_end > window_start",
                "event_count_is_positive", "event_count > 0")),
        Set.of());
  }

  private static String unit(PipelineSpec spec) {
    return switch (spec.partition()) {
      case DAY -> "day";
      case HOUR -> "hour";
    };
  }

  public static TableDefinition corrections(PipelineSpec spec) {
    StructType values = new StructType();
    for (StoredColumn measure : AggregateColumns.measures(spec)) {
      values = values.add(measure.name().value(), measure.type(), true, measure.comment());
    }
    StructType before = values.add(AggregateColumns.VERSION, LongType);
    List<ColumnDefinition> columns = new ArrayList<>();
    columns.add(required("settlement", LongType, "The settlement that changed the row"));
    columns.add(
        required(
            "attempt",
            StringType,
            "The attempt that wrote this; only those in the table settlements were adopted"));
    columns.add(
        required(
            "kind",
            StringType,
            "corrected: another value; missing: the row was not there; phantom: it should not be"));
    columns.add(required(AggregateColumns.WINDOW_START, TimestampType, "Start of the window"));
    columns.add(required(AggregateColumns.WINDOW_END, TimestampType, "End of the window"));
    spec.keys().forEach(key -> columns.add(optional(key.name().value(), key.type(), "Key")));
    columns.add(optional("before", before, "The row's values before; null where it was missing"));
    columns.add(optional("after", values, "The row's values after; null where it was a phantom"));
    return new TableDefinition(
        "What settlements of pipeline " + spec.name() + " changed, row by row.",
        columns,
        Optional.empty(),
        new TreeMap<>(),
        Set.of(Trait.APPEND_ONLY));
  }
}
