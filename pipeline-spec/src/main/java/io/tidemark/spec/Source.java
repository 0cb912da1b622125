package io.tidemark.spec;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Where events come from. */
public sealed interface Source permits Source.Files, Source.Kafka {

  /** How files beside the stream are read: history that is imported, a sample. */
  Files history();

  /**
   * Files in a directory that grows; every file below it is read once, in order of modification
   * time. A file must appear in one step (by rename) and never change.
   *
   * @param path directory or glob, as Hadoop reads it
   * @param nameGlob pattern that file names must match, e.g. {@code *.jsonl}
   * @param format how a file's bytes become records
   * @param options passed to Spark's parser of the format, e.g. {@code sep}
   * @param maxFilesPerTrigger rate limit of ingest; no effect on any number
   * @param maxBytesPerTrigger rate limit of ingest, e.g. {@code 512m}; no effect on any number
   */
  record Files(
      String path,
      Optional<String> nameGlob,
      FileFormat format,
      Map<String, String> options,
      OptionalInt maxFilesPerTrigger,
      Optional<String> maxBytesPerTrigger)
      implements Source {

    public Files {
      if (path.isBlank()) {
        throw new IllegalArgumentException("source path is blank");
      }
      options = Map.copyOf(options);
    }

    @Override
    public Files history() {
      return this;
    }
  }

  /**
   * A topic of Kafka. How the brokers are reached otherwise (TLS, SASL) is not part of a pipeline.
   *
   * @param bootstrapServers {@code host:port}, or several with commas between them
   * @param value how a record's value becomes an event
   * @param columns of the event that are taken from the record beside its value
   * @param start where the first start begins; later ones go on where the last has ended
   * @param isolation which records are read
   * @param maxOffsetsPerTrigger rate limit of ingest; no effect on any number
   * @param longestPause how long ingest may stand still without records being lost
   */
  record Kafka(
      String bootstrapServers,
      String topic,
      KafkaValue value,
      Map<ColumnName, RecordPart> columns,
      KafkaStart start,
      Isolation isolation,
      OptionalLong maxOffsetsPerTrigger,
      Duration longestPause)
      implements Source {

    public static final Duration DEFAULT_LONGEST_PAUSE = Duration.ofDays(3);

    /** Which records of a topic are read. */
    public enum Isolation {
      /** Those of transactions only once they are committed, and never those of aborted ones. */
      READ_COMMITTED,
      /** All, as they come. */
      READ_UNCOMMITTED
    }

    public Kafka {
      if (bootstrapServers.isBlank() || topic.isBlank()) {
        throw new IllegalArgumentException(
            "bootstrap servers '%s' or topic '%s' is blank".formatted(bootstrapServers, topic));
      }
      columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
      if (longestPause.isNegative() || longestPause.isZero()) {
        throw new IllegalArgumentException("longest pause is not positive: " + longestPause);
      }
    }

    /** The part of the record that a column of the event is taken from; empty: its value. */
    public Optional<RecordPart> part(String column) {
      return columns.entrySet().stream()
          .filter(entry -> entry.getKey().value().equalsIgnoreCase(column))
          .<RecordPart>map(Map.Entry::getValue)
          .findFirst();
    }

    /** JSON lines, whatever the topic's format, that hold the event's columns by their names. */
    @Override
    public Files history() {
      return new Files(
          "/",
          Optional.empty(),
          FileFormat.JSON,
          value instanceof KafkaValue.Json json ? json.options() : Map.of(),
          OptionalInt.empty(),
          Optional.empty());
    }
  }
}
