package io.tidemark.spec.parse;

import io.tidemark.spec.FileFormat;
import io.tidemark.spec.Source;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Reads the section {@code source} where its kind is {@code files}. */
final class FilesReader {

  private static final Map<String, FileFormat> FORMATS =
      Map.of("json", FileFormat.JSON, "csv", FileFormat.CSV, "parquet", FileFormat.PARQUET);

  private static final Pattern BYTES = Pattern.compile("[1-9]\\d{0,9}[kmgt]?");

  private FilesReader() {}

  static Optional<Source.Files> read(Section source) {
    Optional<String> path = source.required("path", "path: <directory>").flatMap(YamlValue::text);
    Optional<FileFormat> format =
        source
            .required("format", "format: json, csv or parquet")
            .flatMap(v -> v.oneOf(FORMATS, List.of("avro")));
    Optional<String> glob = source.optional("glob").flatMap(YamlValue::text);
    Map<String, String> options =
        format
            .flatMap(f -> source.optional("options").map(v -> OptionsReader.read(v, f)))
            .orElse(Map.of());
    OptionalInt maxFiles =
        source
            .optional("max-files-per-trigger")
            .map(FilesReader::count)
            .orElse(OptionalInt.empty());
    Optional<String> maxBytes =
        source.optional("max-bytes-per-trigger").flatMap(FilesReader::bytes);
    if (maxFiles.isPresent() && maxBytes.isPresent()) {
      source.refuse(
          "has both max-files-per-trigger and max-bytes-per-trigger", "Keep one of the two.");
    }
    return path.flatMap(
        p -> format.map(f -> new Source.Files(p, glob, f, options, maxFiles, maxBytes)));
  }

  private static OptionalInt count(YamlValue value) {
    return value
        .count("a number of files", 100)
        .map(count -> OptionalInt.of(Math.toIntExact(count)))
        .orElse(OptionalInt.empty());
  }

  private static Optional<String> bytes(YamlValue value) {
    Optional<String> text = value.text();
    if (text.isPresent() && !BYTES.matcher(text.get()).matches()) {
      value.refuse(
          "'" + text.get() + "' is not a number of bytes",
          "Write a whole number, if need be with k, m, g or t, e.g. 512m.");
      return Optional.empty();
    }
    return text;
  }
}
