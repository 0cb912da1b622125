package io.tidemark.spec.parse;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.FileFormat;
import io.tidemark.spec.KafkaStart;
import io.tidemark.spec.KafkaValue;
import io.tidemark.spec.RecordPart;
import io.tidemark.spec.Source;
import io.tidemark.spec.Source.Kafka;
import io.tidemark.spec.Source.Kafka.Isolation;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the section {@code source} where its kind is {@code kafka}. */
final class KafkaReader {

  private enum Format {
    JSON,
    AVRO
  }

  private static final Pattern SERVERS =
      Pattern.compile("[\\w.\\-\\[\\]:]+:\\d{1,5}(\\s*,\\s*[\\w.\\-\\[\\]:]+:\\d{1,5})*");

  /** What Kafka allows. */
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  private static final Pattern HEADER = Pattern.compile("header\\((.+)\\)");

  private KafkaReader() {}

  static Optional<Source.Kafka> read(Section source) {
    Optional<String> servers =
        source
            .required("bootstrap-servers", "bootstrap-servers: broker:9092")
            .flatMap(KafkaReader::servers);
    Optional<String> topic = source.required("topic", "topic: <name>").flatMap(KafkaReader::topic);
    Optional<KafkaValue> value =
        source
            .required("format", "format: json or avro")
            .flatMap(v -> v.oneOf(Map.of("json", Format.JSON, "avro", Format.AVRO), List.of()))
            .flatMap(format -> value(source, format));
    Map<ColumnName, RecordPart> columns =
        source.optional("columns").map(KafkaReader::columns).orElse(Map.of());
    Optional<KafkaStart> start =
        source.has("start")
            ? source.optional("start").flatMap(KafkaReader::start)
            : Optional.of(new KafkaStart.Earliest());
    Isolation isolation =
        source
            .optional("isolation")
            .flatMap(
                v ->
                    v.oneOf(
                        Map.of(
                            "read-committed", Isolation.READ_COMMITTED,
                            "read-uncommitted", Isolation.READ_UNCOMMITTED),
                        List.of()))
            .orElse(Isolation.READ_COMMITTED);
    OptionalLong maxOffsets =
        source
            .optional("max-offsets-per-trigger")
            .flatMap(v -> v.count("a number of offsets", 100_000))
            .map(OptionalLong::of)
            .orElse(OptionalLong.empty());
    Duration longestPause =
        source
            .optional("longest-pause")
            .flatMap(YamlValue::positiveDuration)
            .orElse(Kafka.DEFAULT_LONGEST_PAUSE);
    if (servers.isEmpty() || topic.isEmpty() || value.isEmpty() || start.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Source.Kafka(
            servers.get(),
            topic.get(),
            value.get(),
            columns,
            start.get(),
            isolation,
            maxOffsets,
            longestPause));
  }

  /** What is wrong is not repeated: a user and a password may stand in it. */
  private static Optional<String> servers(YamlValue value) {
    Optional<String> text = value.text();
    if (text.isPresent() && !SERVERS.matcher(text.get()).matches()) {
      value.refuse(
          "is not host:port, or several of these with commas between them",
          "Write for example broker-1:9092,broker-2:9092.");
      return Optional.empty();
    }
    return text.map(servers -> servers.replaceAll("\\s+", ""));
  }

  private static Optional<String> topic(YamlValue value) {
    Optional<String> text = value.text();
    if (text.isPresent() && !TOPIC.matcher(text.get()).matches()) {
      value.refuse(
          "'" + text.get() + "' is not the name of a topic",
          "Write one topic, of at most 249 letters, digits, '.', '_' and '-'.");
      return Optional.empty();
    }
    return text;
  }

  private static Optional<KafkaValue> value(Section source, Format format) {
    return switch (format) {
      case JSON -> {
        if (source.has("avro-schema")) {
          source.refuseKey("avro-schema", "has no effect on format: json", "Remove it.");
        }
        yield Optional.of(
            new KafkaValue.Json(
                source
                    .optional("options")
                    .map(v -> OptionsReader.read(v, FileFormat.JSON))
                    .orElse(Map.of())));
      }
      case AVRO -> {
        if (source.has("options")) {
          source.refuseKey("options", "has no effect on format: avro", "Remove it.");
        }
        yield source
            .required(
                "avro-schema", "avro-schema: the schema that values are written with, as JSON")
            .flatMap(AvroSchemas::text)
            .map(KafkaValue.Avro::new);
      }
    };
  }

  private static Map<ColumnName, RecordPart> columns(YamlValue value) {
    Map<ColumnName, RecordPart> columns = new LinkedHashMap<>();
    value
        .namedValues()
        .orElse(Map.of())
        .forEach(
            (name, given) ->
                part(given)
                    .filter(part -> ColumnName.isValid(name))
                    .ifPresent(part -> columns.put(new ColumnName(name), part)));
    return columns;
  }

  private static Optional<RecordPart> part(YamlValue value) {
    Optional<String> text = value.text();
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Matcher header = HEADER.matcher(text.get());
    if (header.matches()) {
      return Optional.of(new RecordPart.Header(header.group(1).strip()));
    }
    if (text.get().equals("key")) {
      return Optional.of(new RecordPart.Key());
    }
    if (text.get().equals("timestamp")) {
      return Optional.of(new RecordPart.Timestamp());
    }
    value.refuse(
        "'" + text.get() + "' is not a part of a record",
        "Write key, timestamp or header(<name>).");
    return Optional.empty();
  }

  private static Optional<KafkaStart> start(YamlValue value) {
    if (value.isMapping()) {
      return offsets(value);
    }
    Optional<String> text = value.text();
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (text.get().equals("earliest")) {
      return Optional.of(new KafkaStart.Earliest());
    }
    if (text.get().equals("latest")) {
      return Optional.of(new KafkaStart.Latest());
    }
    try {
      return Optional.of(new KafkaStart.At(Instant.parse(text.get())));
    } catch (DateTimeParseException e) {
      value.refuse(
          "'" + text.get() + "' is not where a topic can be begun",
          "Write earliest, latest, a time like 2026-03-01T00:00:00Z, or an offset for each"
              + " partition like {0: 1200, 1: 1180}.");
      return Optional.empty();
    }
  }

  private static Optional<KafkaStart> offsets(YamlValue value) {
    SortedMap<Integer, Long> offsets = new TreeMap<>();
    boolean good = true;
    for (Map.Entry<String, YamlValue> entry : value.namedValues().orElse(Map.of()).entrySet()) {
      Optional<String> offset = entry.getValue().text();
      if (!entry.getKey().matches("\\d{1,9}") || !offset.orElse("").matches("\\d{1,18}")) {
        entry.getValue().refuse("is not an offset of a partition", "Write for example 0: 1200.");
        good = false;
      } else {
        offsets.put(Integer.parseInt(entry.getKey()), Long.parseLong(offset.orElseThrow()));
      }
    }
    return good ? Optional.of(new KafkaStart.Offsets(offsets)) : Optional.empty();
  }
}
