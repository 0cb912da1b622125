package io.tidemark.spec.parse;

import io.tidemark.spec.KafkaValue;
import io.tidemark.spec.Source;
import io.tidemark.spec.error.NearestName;
import io.tidemark.spec.expression.SparkMessage;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.spark.sql.avro.SchemaConverters;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Reads {@code source.avro-schema}, and whether the event's columns are in it. */
final class AvroSchemas {

  private AvroSchemas() {}

  /** The schema on one line. */
  static Optional<String> text(YamlValue value) {
    return value.text().flatMap(text -> parsed(value, text)).map(Schema::toString);
  }

  private static Optional<Schema> parsed(YamlValue value, String text) {
    try {
      Schema schema = new Schema.Parser().parse(text);
      if (schema.getType() != Schema.Type.RECORD) {
        value.refuse(
            "is of type " + schema.getType().getName() + ", not a record",
            "Give the schema of the values, a record with a field for each column.");
        return Optional.empty();
      }
      type(schema);
      return Optional.of(schema);
    } catch (AvroRuntimeException e) {
      value.refuse(
          "is not a schema of Avro: " + SparkMessage.firstLine(e),
          "Paste the .avsc file that the producers use, as a block: avro-schema: |");
    } catch (Exception e) { // Spark's is checked, but not declared.
      value.refuse(
          "has no types in Spark: " + SparkMessage.firstLine(e),
          "Recursive types cannot be read; give a schema without them.");
    }
    return Optional.empty();
  }

  private static StructType type(Schema schema) {
    return (StructType) SchemaConverters.toSqlType(schema).dataType();
  }

  /** Reports columns of the event that the values do not have, or have in another type. */
  static void check(Source.Kafka source, Columns event, YamlValue schemaOfEvent) {
    if (!(source.value() instanceof KafkaValue.Avro avro)) {
      return;
    }
    StructType value = type(new Schema.Parser().parse(avro.schema()));
    List<String> names = List.of(value.fieldNames());
    for (StructField column : event.type().fields()) {
      if (source.part(column.name()).isPresent()) {
        continue;
      }
      Optional<DataType> written =
          Arrays.stream(value.fields())
              .filter(field -> field.name().equalsIgnoreCase(column.name()))
              .map(StructField::dataType)
              .findFirst();
      if (written.isEmpty()) {
        schemaOfEvent.refuse(
            "column " + column.name() + " is not a field of source.avro-schema",
            NearestName.remedy(column.name(), "Its fields", names));
      } else if (!DataType.equalsIgnoreNullability(written.get(), column.dataType())) {
        schemaOfEvent.refuse(
            "column %s is %s, but %s in source.avro-schema"
                .formatted(column.name(), column.dataType().sql(), written.get().sql()),
            "Make it " + written.get().sql() + ", and cast it with derive.");
      }
    }
  }
}
