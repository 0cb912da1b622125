package io.tidemark.spec.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.KafkaStart;
import io.tidemark.spec.KafkaValue;
import io.tidemark.spec.RecordPart;
import io.tidemark.spec.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaRulesTest {

  private static final String GOOD =
      "kind: kafka, bootstrap-servers: 'b1:9092, b2:9092', topic: clicks, format: json";

  private static final String AVRO =
      "'{\"type\": \"record\", \"name\": \"Click\", \"fields\": ["
          + "{\"name\": \"id\", \"type\": \"string\"},"
          + "{\"name\": \"at\", \"type\": {\"type\": \"long\", \"logicalType\": \"timestamp-millis\"}},"
          + "{\"name\": \"cost\", \"type\": [\"null\", \"long\"]}]}'";

  @Test
  void whatIsNotSaidIsCommittedFromTheEarliestRecordOn() {
    assertThat(kafka("{" + GOOD + "}").spec().source())
        .isEqualTo(
            new Source.Kafka(
                "b1:9092,b2:9092",
                "clicks",
                new KafkaValue.Json(Map.of()),
                Map.of(),
                new KafkaStart.Earliest(),
                Source.Kafka.Isolation.READ_COMMITTED,
                OptionalLong.empty(),
                Duration.ofDays(3)));
  }

  @Test
  void everyKeyIsRead() {
    assertThat(
            kafka(
                    "{"
                        + GOOD
                        + ", options: {allowComments: true}, columns: {id: key, trace:"
                        + " header(x-trace id), logged: timestamp}, start: {0: 12, 1: 0}, isolation:"
                        + " read-uncommitted, max-offsets-per-trigger: 500, longest-pause: 7d}")
                .spec()
                .source())
        .isEqualTo(
            new Source.Kafka(
                "b1:9092,b2:9092",
                "clicks",
                new KafkaValue.Json(Map.of("allowComments", "true")),
                Map.of(
                    new ColumnName("id"), new RecordPart.Key(),
                    new ColumnName("trace"), new RecordPart.Header("x-trace id"),
                    new ColumnName("logged"), new RecordPart.Timestamp()),
                new KafkaStart.Offsets(new TreeMap<>(Map.of(0, 12L, 1, 0L))),
                Source.Kafka.Isolation.READ_UNCOMMITTED,
                OptionalLong.of(500),
                Duration.ofDays(7)));
    assertThat(
            ((Source.Kafka) kafka("{" + GOOD + ", start: 2026-03-01T00:00:00Z}").spec().source())
                .start())
        .isEqualTo(new KafkaStart.At(Instant.parse("2026-03-01T00:00:00Z")));
  }

  @Test
  void aTopicNeedsNoIdAndNoArrival() {
    PipelineText text =
        kafka("{" + GOOD + "}").with("event", "{schema: 'id STRING, at TIMESTAMP', time: at}");
    assertThat(text.problems()).isEmpty();
    assertThat(text.warnings()).isEmpty();
    assertThat(text.with("duplicates", "keep").problems()).isEmpty();
    assertThat(
            text.with("event", "{schema: 'id STRING, at TIMESTAMP', time: at, arrival: at}")
                .problems())
        .containsExactly(
            "event.arrival: has no effect on kind: kafka, whose records arrive at their timestamp."
                + " Remove it.");
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThat(kafka("{kind: kafka}").problems())
        .containsExactly(
            "source.bootstrap-servers: is missing. Add bootstrap-servers: broker:9092.",
            "source.topic: is missing. Add topic: <name>.",
            "source.format: is missing. Add format: json or avro.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "path: /data         | path: has no effect on kind: kafka. Remove it.",
        "glob: '*.x'         | glob: has no effect on kind: kafka. Remove it.",
        "max-files-per-trigger: 3 | max-files-per-trigger: has no effect on kind: kafka. Remove it.",
        "avro-schema: x      | avro-schema: has no effect on format: json. Remove it.",
        "start: noon         | start: 'noon' is not where a topic can be begun. Write earliest,",
        "start: {a: 1}       | start.a: is not an offset of a partition. Write for example 0: 1200.",
        "isolation: dirty    | isolation: 'dirty' is not known here. Known values: read-committed,",
        "max-offsets-per-trigger: 0 | max-offsets-per-trigger: '0' is not a number of offsets.",
        "longest-pause: 0s   | longest-pause: must be longer than 0. Write for example 1m.",
        "columns: {id: kye}  | columns.id: 'kye' is not a part of a record. Write key, timestamp or",
        "columns: {idd: key} | columns.idd: 'idd' is not a column. Did you mean id?",
        "columns: {at: key}  | columns.at: column at is TIMESTAMP, which cannot hold it. Make it",
        "columns: {id: timestamp} | columns.id: column id is STRING, which cannot hold it. Make it",
        "options: {multiLine: true} | options.multiLine: is not possible: text is read line by line",
      })
  void whatCannotWorkIsRefused(String key, String problem) {
    assertThat(kafka("{" + GOOD + ", " + key + "}").problems())
        .singleElement()
        .asString()
        .startsWith("source." + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'user:canary-7319@b:1' | bootstrap-servers: is not host:port, or several of these with",
        "b                      | bootstrap-servers: is not host:port, or several of these with",
      })
  void serversAreNotRepeatedInARefusal(String servers, String problem) {
    assertThat(
            kafka("{kind: kafka, bootstrap-servers: " + servers + ", topic: t, format: json}")
                .problems())
        .singleElement()
        .asString()
        .startsWith("source." + problem)
        .doesNotContain("canary");
  }

  @ParameterizedTest
  @CsvSource({
    "kafka.sasl.jaas.config",
    "sasl-password",
    "security-protocol",
    "ssl-keystore-location",
    "username"
  })
  void whatLeadsToASecretHasNoPlaceInTheFile(String key) {
    assertThat(kafka("{" + GOOD + ", " + key + ": canary-7319}").problems())
        .containsExactly(
            "source."
                + key
                + ": has no place in a pipeline file, which many read and every generation keeps."
                + " Give it to Spark's configuration as spark.tidemark.kafka.<Kafka's own name>, or"
                + " put it into a file: docs/kafka.md.");
  }

  @Test
  void anAvroSchemaIsKeptOnOneLine() {
    Source.Kafka source =
        (Source.Kafka) avro(AVRO, "id STRING, at TIMESTAMP, cost BIGINT").spec().source();
    assertThat(((KafkaValue.Avro) source.value()).schema())
        .startsWith("{\"type\":\"record\",\"name\":\"Click\",\"fields\":[{\"name\":\"id\"");
  }

  @Test
  void columnsOfTheEventAreFieldsOfTheAvroSchemaWithTheirTypes() {
    assertThat(avro(AVRO, "id STRING, at TIMESTAMP, costs BIGINT").problems())
        .containsExactly(
            "event.schema: column costs is not a field of source.avro-schema. Did you mean cost?");
    assertThat(avro(AVRO, "id STRING, at TIMESTAMP, cost INT").problems())
        .containsExactly(
            "event.schema: column cost is INT, but BIGINT in source.avro-schema. Make it BIGINT, and"
                + " cast it with derive.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'{'             | is not a schema of Avro: ",
        "'\"string\"'    | is of type string, not a record. Give the schema of the values,",
        "'{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"r\",\"type\":[\"null\",\"R\"]}]}'"
            + " | has no types in Spark: ",
      })
  void whatIsNoRecordOfAvroIsRefused(String schema, String problem) {
    List<String> problems = avro(schema, "at TIMESTAMP").problems();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).startsWith("source.avro-schema: " + problem);
  }

  private static PipelineText avro(String schema, String columns) {
    return PipelineText.good()
        .with(
            "source",
            "{kind: kafka, bootstrap-servers: 'b:1', topic: t, format: avro, avro-schema: "
                + schema
                + "}")
        .with("event", "{schema: '" + columns + "', time: at}");
  }

  private static PipelineText kafka(String source) {
    return PipelineText.good()
        .with("source", source)
        .with(
            "event",
            "{schema: 'id STRING, trace STRING, logged TIMESTAMP, at TIMESTAMP', id: id, time: at}");
  }
}
