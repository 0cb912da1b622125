package io.tidemark.spec.parse;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.EventSpec;
import io.tidemark.spec.FileFormat;
import io.tidemark.spec.Source;
import io.tidemark.spec.TimeColumn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.StructField;

/** Reads the section {@code event}. */
final class EventReader {

  private final Section event;
  private final Optional<Source> source;
  private final Optional<Columns> columns;

  /**
   * @param source if it is known
   */
  EventReader(Section event, Optional<Source> source) {
    this.event = event;
    this.source = source;
    Optional<FileFormat> format = source.map(Source::history).map(Source.Files::format);
    this.columns =
        event
            .required("schema", "schema: id STRING, at TIMESTAMP, …")
            .flatMap(value -> SchemaReader.read(value, format));
  }

  /** The event's columns, if the schema could be read. */
  Optional<Columns> columns() {
    return columns;
  }

  Optional<EventSpec> read() {
    List<ColumnName> id = event.optional("id").map(this::id).orElse(List.of());
    Optional<TimeColumn> time =
        event.required("time", "time: <column>").flatMap(v -> TimeColumnReader.read(v, columns));
    Optional<TimeColumn> sourceTimestamp = timeColumn("source-timestamp");
    Optional<TimeColumn> arrival = timeColumn("arrival");
    checkArrival();
    Duration skew =
        event
            .optional("max-future-skew")
            .flatMap(YamlValue::duration)
            .orElse(EventSpec.DEFAULT_MAX_FUTURE_SKEW);
    Duration age =
        event
            .optional("max-age")
            .flatMap(YamlValue::positiveDuration)
            .orElse(EventSpec.DEFAULT_MAX_AGE);
    return columns.flatMap(
        c -> time.map(t -> new EventSpec(c.type(), id, t, sourceTimestamp, arrival, skew, age)));
  }

  private void checkArrival() {
    boolean ofKafka = source.isPresent() && source.get() instanceof Source.Kafka;
    if (ofKafka && event.has("arrival")) {
      event.refuseKey(
          "arrival",
          "has no effect on kind: kafka, whose records arrive at their timestamp",
          "Remove it.");
    } else if (!ofKafka && !event.has("arrival")) {
      event.warn(
          "has no arrival: the file's modification time decides what is late, too old or in the"
              + " future, and changes when a file is copied",
          "Name a column with arrival, if the records have one.");
    }
  }

  private Optional<TimeColumn> timeColumn(String key) {
    return event.optional(key).flatMap(value -> TimeColumnReader.read(value, columns));
  }

  private List<ColumnName> id(YamlValue value) {
    List<YamlValue> parts = value.isList() ? value.items().orElse(List.of()) : List.of(value);
    if (parts.isEmpty()) {
      value.refuse("names no column", "Name one, or leave id out.");
    }
    List<ColumnName> id = new ArrayList<>();
    for (YamlValue part : parts) {
      columns
          .flatMap(c -> c.named(part))
          .flatMap(field -> idColumn(part, field))
          .ifPresent(
              name -> {
                if (id.contains(name)) {
                  part.refuse("names " + name + " twice", "Remove one.");
                }
                id.add(name);
              });
    }
    return id;
  }

  private static Optional<ColumnName> idColumn(YamlValue part, StructField field) {
    TypeRules.id(field.dataType())
        .ifPresent(
            refusal ->
                part.refuse("column " + field.name() + " " + refusal.what(), refusal.remedy()));
    return Optional.of(new ColumnName(field.name()));
  }
}
