package io.tidemark.spec.fingerprint;

import static io.tidemark.spec.fingerprint.CanonicalText.quoted;
import static io.tidemark.spec.fingerprint.CanonicalText.sorted;

import io.tidemark.spec.KafkaValue;
import io.tidemark.spec.RecordPart;
import io.tidemark.spec.Source;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a source means. Rate limits and the longest pause are no part of it, and neither are the
 * addresses of Kafka's brokers, which change while the topic stays.
 */
final class SourceText {

  private SourceText() {}

  static CanonicalText addTo(CanonicalText text, Source source) {
    return source instanceof Source.Kafka kafka
        ? addTo(text, kafka)
        : addTo(text, (Source.Files) source);
  }

  private static CanonicalText addTo(CanonicalText text, Source.Files files) {
    return text.part("source.kind", "files")
        .part("source.path", quoted(files.path()))
        .part("source.glob", quoted(files.nameGlob()))
        .part("source.format", Written.asInFile(files.format()))
        .part("source.options", options(files.options()));
  }

  private static CanonicalText addTo(CanonicalText text, Source.Kafka kafka) {
    Map<String, String> columns = new LinkedHashMap<>();
    kafka.columns().forEach((column, part) -> columns.put(column.value(), part(part)));
    Optional<String> avro =
        kafka.value() instanceof KafkaValue.Avro value
            ? Optional.of(value.schema())
            : Optional.empty();
    Map<String, String> options =
        kafka.value() instanceof KafkaValue.Json json ? json.options() : Map.of();
    return text.part("source.kind", "kafka")
        .part("source.topic", quoted(kafka.topic()))
        .part("source.format", avro.isPresent() ? "avro" : "json")
        .part("source.options", options(options))
        .part("source.avro-schema", quoted(avro))
        .part("source.columns", sorted(columns))
        .part("source.isolation", Written.asInFile(kafka.isolation()));
  }

  private static String options(Map<String, String> options) {
    Map<String, String> inQuotes = new LinkedHashMap<>();
    options.forEach((name, value) -> inQuotes.put(name, quoted(value)));
    return sorted(inQuotes);
  }

  private static String part(RecordPart part) {
    if (part instanceof RecordPart.Header header) {
      return quoted("header(" + header.name() + ")");
    }
    return part instanceof RecordPart.Key ? "key" : "timestamp";
  }
}
