package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.base64;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.filter;
import static org.apache.spark.sql.functions.from_json;
import static org.apache.spark.sql.functions.is_valid_utf8;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.make_valid_utf8;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.try_element_at;
import static org.apache.spark.sql.functions.when;

import io.tidemark.spec.EventSpec;
import io.tidemark.spec.KafkaValue;
import io.tidemark.spec.RecordPart;
import io.tidemark.spec.Source;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Parses records of Kafka, with Spark's columns of them. */
final class KafkaParser {

  private static final String VALUE = "value";
  private static final String PARSED = "_tidemark_parsed";
  private static final String CORRUPT = "_tidemark_corrupt";

  private KafkaParser() {}

  /** As {@link SourceRecords#parsed}. */
  static Dataset<Row> parsed(Dataset<Row> records, EventSpec event, Source.Kafka source) {
    ParsedValue value =
        source.value() instanceof KafkaValue.Avro avro
            ? avro(avro)
            : json((KafkaValue.Json) source.value(), ofValue(event, source));
    Column[] fields =
        Arrays.stream(event.schema().fields())
            .map(
                field ->
                    source
                        .part(field.name())
                        .map(part -> part(part, field))
                        .orElseGet(() -> value.event().getField(field.name()))
                        .as(field.name()))
            .toArray(Column[]::new);
    Column tombstone = when(col(VALUE).isNull(), lit(RecordProblem.TOMBSTONE.label()));
    Column malformed =
        when(
            value.isMalformed().or(hasBrokenText(event, source)),
            lit(RecordProblem.MALFORMED.label()));
    return records
        .withColumn(PARSED, value.parsed())
        .select(
            value.raw().as(SourceRecords.RAW),
            // Records of the oldest brokers have none, which Spark shows as a time before 1970.
            when(col("timestamp").geq(lit(Instant.EPOCH)), col("timestamp"))
                .as(SourceRecords.ARRIVED),
            SourcePosition.ofKafka(source, col("topic"), col("partition"), col("offset")),
            struct(fields).as(ArchiveColumns.EVENT),
            coalesce(tombstone, malformed).as(SourceRecords.DEFECT));
  }

  /**
   * How a value is read.
   *
   * @param parsed what the column {@link #PARSED} is to hold
   * @param event the struct in it that holds the event's columns
   */
  private record ParsedValue(Column parsed, Column event, Column isMalformed, Column raw) {}

  private static ParsedValue json(KafkaValue.Json json, StructType ofValue) {
    Map<String, String> options = new HashMap<>(json.options());
    options.put("mode", "PERMISSIVE");
    options.put("columnNameOfCorruptRecord", CORRUPT);
    Column text = col(VALUE).cast(DataTypes.StringType);
    return new ParsedValue(
        from_json(text, ofValue.add(CORRUPT, DataTypes.StringType), options),
        col(PARSED),
        is_valid_utf8(text)
            .equalTo(lit(false))
            .or(col(PARSED).isNull())
            .or(col(PARSED).getField(CORRUPT).isNotNull()),
        when(is_valid_utf8(text), text).otherwise(bytes()));
  }

  private static ParsedValue avro(KafkaValue.Avro avro) {
    AvroFrame frame = AvroFrame.around(avro.schema());
    return new ParsedValue(
        frame.read(col(VALUE)), frame.content(col(PARSED)), frame.isBroken(col(PARSED)), bytes());
  }

  private static Column bytes() {
    return concat(lit("base64:"), base64(col(VALUE)));
  }

  private static StructType ofValue(EventSpec event, Source.Kafka source) {
    return new StructType(
        Arrays.stream(event.schema().fields())
            .filter(field -> source.part(field.name()).equals(Optional.empty()))
            .toArray(StructField[]::new));
  }

  /** Of a key or header that is to be text: unlike bytes must not become the same id. */
  private static Column hasBrokenText(EventSpec event, Source.Kafka source) {
    return Arrays.stream(event.schema().fields())
        .filter(field -> field.dataType().equals(DataTypes.StringType))
        .flatMap(field -> source.part(field.name()).stream())
        .map(part -> is_valid_utf8(bytes(part).cast(DataTypes.StringType)).equalTo(lit(false)))
        .map(broken -> coalesce(broken, lit(false)))
        .reduce(lit(false), Column::or);
  }

  private static Column bytes(RecordPart part) {
    return part instanceof RecordPart.Header header
        ? try_element_at(
                filter(col("headers"), one -> one.getField("key").equalTo(header.name())), lit(-1))
            .getField("value")
        : col("key");
  }

  private static Column part(RecordPart part, StructField field) {
    if (part instanceof RecordPart.Timestamp) {
      return col("timestamp");
    }
    Column bytes = bytes(part);
    return field.dataType().equals(DataTypes.StringType)
        ? make_valid_utf8(bytes.cast(DataTypes.StringType))
        : bytes;
  }
}
