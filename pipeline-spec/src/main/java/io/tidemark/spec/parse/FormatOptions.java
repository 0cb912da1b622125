package io.tidemark.spec.parse;

import io.tidemark.spec.FileFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Which of Spark's options of a file format may be given, and why others may not. */
final class FormatOptions {

  private static final List<String> TIMES =
      List.of(
          "dateFormat",
          "timestampFormat",
          "timestampNTZFormat",
          "timeZone",
          "locale",
          "enableDateTimeParsingFallback");

  private static final List<String> JSON =
      List.of(
          "allowBackslashEscapingAnyCharacter",
          "allowComments",
          "allowNonNumericNumbers",
          "allowNumericLeadingZeros",
          "allowSingleQuotes",
          "allowUnquotedControlChars",
          "allowUnquotedFieldNames");

  private static final List<String> CSV =
      List.of(
          "header",
          "sep",
          "quote",
          "escape",
          "charToEscapeQuoteEscaping",
          "nullValue",
          "emptyValue",
          "nanValue",
          "positiveInf",
          "negativeInf",
          "ignoreLeadingWhiteSpace",
          "ignoreTrailingWhiteSpace",
          "maxColumns",
          "maxCharsPerColumn",
          "unescapedQuoteHandling");

  private static final List<String> PARQUET = List.of("datetimeRebaseMode", "int96RebaseMode");

  private static final Map<String, String> REFUSED = refused();

  private FormatOptions() {}

  static List<String> allowed(FileFormat format) {
    return switch (format) {
      case JSON -> concat(JSON, TIMES);
      case CSV -> concat(CSV, TIMES);
      case PARQUET -> PARQUET;
    };
  }

  /** The option's name as Spark's documentation spells it, if it is allowed; case is ignored. */
  static Optional<String> spelling(FileFormat format, String name) {
    String known = name.equalsIgnoreCase("delimiter") ? "sep" : name;
    return allowed(format).stream().filter(known::equalsIgnoreCase).findFirst();
  }

  /** Why an option of Spark's is not allowed; empty for those that nobody knows. */
  static Optional<String> reason(String name) {
    return Optional.ofNullable(REFUSED.get(name.toLowerCase(Locale.ROOT)));
  }

  private static Map<String, String> refused() {
    Map<String, String> reasons = new TreeMap<>();
    refuse(
        reasons,
        "is not possible: text is read line by line, one record a line, each parsed on its own",
        List.of("multiLine", "lineSep", "comment"));
    refuse(
        reasons,
        "is not possible: a line that cannot be parsed is archived as it is, as malformed",
        List.of("mode", "columnNameOfCorruptRecord", "badRecordsPath"));
    refuse(reasons, "is not possible: lines are read as UTF-8", List.of("encoding", "charset"));
    refuse(
        reasons,
        "has no effect: event.schema gives columns and types",
        List.of(
            "inferSchema",
            "samplingRatio",
            "primitivesAsString",
            "prefersDecimal",
            "dropFieldIfAllNull",
            "inferTimestamp",
            "preferDate",
            "enforceSchema",
            "columnPruning",
            "mergeSchema"));
    refuse(
        reasons,
        "is not possible: every file below the path is read once, as a whole",
        List.of(
            "recursiveFileLookup",
            "modifiedBefore",
            "modifiedAfter",
            "ignoreCorruptFiles",
            "ignoreMissingFiles",
            "latestFirst",
            "maxFileAge",
            "maxCachedFiles",
            "fileNameOnly",
            "cleanSource",
            "sourceArchiveDir"));
    refuse(reasons, "has its own key: source.glob", List.of("pathGlobFilter"));
    refuse(reasons, "has its own key: source.max-files-per-trigger", List.of("maxFilesPerTrigger"));
    refuse(reasons, "has its own key: source.max-bytes-per-trigger", List.of("maxBytesPerTrigger"));
    refuse(
        reasons,
        "has no effect: it is for writing",
        List.of("compression", "codec", "quoteAll", "escapeQuotes", "ignoreNullFields", "pretty"));
    return reasons;
  }

  private static void refuse(Map<String, String> reasons, String reason, List<String> names) {
    names.forEach(name -> reasons.put(name.toLowerCase(Locale.ROOT), reason));
  }

  private static List<String> concat(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }
}
