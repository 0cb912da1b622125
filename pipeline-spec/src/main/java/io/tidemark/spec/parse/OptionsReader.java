package io.tidemark.spec.parse;

import io.tidemark.spec.FileFormat;
import io.tidemark.spec.error.NearestName;
import io.tidemark.spec.expression.SparkMessage;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.csv.CSVExprUtils;
import org.apache.spark.sql.catalyst.csv.CSVOptions;
import org.apache.spark.sql.catalyst.json.JSONOptions;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;

/** Reads {@code source.options}, in the spelling of Spark's documentation. */
final class OptionsReader {

  private OptionsReader() {}

  static Map<String, String> read(YamlValue value, FileFormat format) {
    Map<String, String> options = new LinkedHashMap<>();
    value
        .namedValues()
        .orElse(Map.of())
        .forEach(
            (name, given) ->
                spelling(name, given, format)
                    .ifPresent(option -> put(option, given, format, options)));
    return options;
  }

  private static Optional<String> spelling(String name, YamlValue given, FileFormat format) {
    Optional<String> spelling = FormatOptions.spelling(format, name);
    if (spelling.isEmpty()) {
      Optional<String> reason = FormatOptions.reason(name);
      given.refuse(
          reason.orElse("is not an option of " + formatName(format)),
          reason.isPresent()
              ? "Remove it."
              : NearestName.remedy(name, "Known options", FormatOptions.allowed(format)));
    }
    return spelling;
  }

  private static void put(
      String option, YamlValue given, FileFormat format, Map<String, String> options) {
    Optional<String> text = given.textOrBlank();
    Optional<String> wrong = text.flatMap(t -> whatIsWrongWith(option, t, format));
    wrong.ifPresent(what -> given.refuse(what, "See Spark's documentation of the option."));
    if (text.isPresent()
        && wrong.isEmpty()
        && options.putIfAbsent(option, plain(option, text.get())) != null) {
      given.refuse("is given twice", "Keep one of the two.");
    }
  }

  /** Spark takes {@code \t} for a tab; who compares lines needs the tab itself. */
  private static String plain(String option, String text) {
    return option.equals("sep") ? CSVExprUtils.toDelimiterStr(text) : text;
  }

  /** Asks Spark itself; its readers check most options when they take them. */
  private static Optional<String> whatIsWrongWith(String option, String text, FileFormat format) {
    if (option.endsWith("Format")) {
      return DatetimePatterns.isValid(text)
          ? Optional.empty()
          : Optional.of("'" + text + "' is not one of Spark's datetime patterns");
    }
    try {
      switch (format) {
        case JSON -> new JSONOptions(scalaMap(option, text), "UTC", "");
        case CSV -> new CSVOptions(scalaMap(option, text), false, "UTC").asParserSettings();
        case PARQUET -> {}
      }
      return Optional.empty();
    } catch (Exception e) { // Some of Spark's are checked, but not declared.
      return Optional.of("'" + text + "' does not fit: " + SparkMessage.firstLine(e));
    }
  }

  private static scala.collection.immutable.Map<String, String> scalaMap(String key, String value) {
    return Map$.MODULE$.from(CollectionConverters.asScala(Map.of(key, value)));
  }

  private static String formatName(FileFormat format) {
    return format.name().toLowerCase(Locale.ROOT);
  }
}
