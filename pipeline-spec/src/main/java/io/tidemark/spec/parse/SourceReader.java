package io.tidemark.spec.parse;

import io.tidemark.spec.Source;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the section {@code source}. */
final class SourceReader {

  private enum Kind {
    FILES,
    KAFKA
  }

  private static final Map<String, Kind> KINDS = Map.of("files", Kind.FILES, "kafka", Kind.KAFKA);

  private SourceReader() {}

  static Optional<Source> read(YamlValue value) {
    Optional<YamlValue> given = value.mappingValue("kind");
    Optional<Kind> kind = given.flatMap(v -> v.oneOf(KINDS, List.of("delta", "archive")));
    if (given.isPresent() && kind.isEmpty()) {
      return Optional.empty(); // The other keys belong to a kind that is not known.
    }
    Optional<Section> section = value.section(KnownKeys.SOURCE);
    section.ifPresent(s -> s.required("kind", "kind: files"));
    return switch (kind.orElse(Kind.FILES)) {
      case FILES -> section.flatMap(SourceReader::files);
      case KAFKA -> section.flatMap(SourceReader::kafka);
    };
  }

  private static Optional<Source> files(Section source) {
    source.refuseOthers(KnownKeys.FILES_SOURCE, "kind: files");
    return FilesReader.read(source).map(files -> files);
  }

  private static Optional<Source> kafka(Section source) {
    source.refuseOthers(KnownKeys.KAFKA_SOURCE, "kind: kafka");
    return KafkaReader.read(source).map(kafka -> kafka);
  }
}
