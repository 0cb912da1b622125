package io.tidemark.spec.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.Source;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SourceRulesTest {

  @ParameterizedTest
  @ValueSource(strings = {"delta", "archive"})
  void aKindToComeIsOneProblem(String kind) {
    assertThat(source("{kind: " + kind + ", pipeline: clicks, format: x}"))
        .containsExactly(
            "source.kind: '" + kind + "' is not supported yet. Supported now: files, kafka.");
  }

  @Test
  void keysOfKafkaAreRefusedForFiles() {
    assertThat(source("{kind: files, path: /d, format: avro, topic: clicks, pipeline: x}"))
        .containsExactly(
            "source.pipeline: is not supported yet (reading the archive of another pipeline). Remove"
                + " it.",
            "source.topic: has no effect on kind: files. Remove it.",
            "source.format: 'avro' is not supported yet. Supported now: csv, json, parquet.");
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThat(source("{}"))
        .containsExactly(
            "source.kind: is missing. Add kind: files.",
            "source.path: is missing. Add path: <directory>.",
            "source.format: is missing. Add format: json, csv or parquet.");
  }

  @Test
  void valuesOfTheWrongShapeAreNamed() {
    assertThat(source("{kind: files, path: [a, b], glob: ' ', format: , options: x}"))
        .containsExactly(
            "source.path: must be a single value, but is a list. Give it one value, or remove the"
                + " key.",
            "source.format: must be a single value, but is empty. Give it one value, or remove the"
                + " key.",
            "source.glob: is blank. Give it a value, or remove the key.");
  }

  @Test
  void rateLimitsAreWholeNumbers() {
    assertThat(source("{kind: files, path: /d, format: json, max-files-per-trigger: 0}"))
        .containsExactly(
            "source.max-files-per-trigger: '0' is not a number of files. Write for example 100.");
    assertThat(source("{kind: files, path: /d, format: json, max-bytes-per-trigger: 1.5g}"))
        .containsExactly(
            "source.max-bytes-per-trigger: '1.5g' is not a number of bytes. Write a whole number,"
                + " if need be with k, m, g or t, e.g. 512m.");
  }

  @Test
  void sparkTakesOneRateLimitOnly() {
    assertThat(
            source(
                "{kind: files, path: /d, format: json, max-files-per-trigger: 9,"
                    + " max-bytes-per-trigger: 1g}"))
        .containsExactly(
            "source: has both max-files-per-trigger and max-bytes-per-trigger. Keep one of the"
                + " two.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "json    | multiLine: true       | multiLine: is not possible: text is read line by line",
        "csv     | lineSep: ';'          | lineSep: is not possible: text is read line by line",
        "csv     | comment: '#'          | comment: is not possible: text is read line by line",
        "csv     | mode: FAILFAST        | mode: is not possible: a line that cannot be parsed is",
        "json    | columnNameOfCorruptRecord: c | columnNameOfCorruptRecord: is not possible: a",
        "csv     | encoding: latin1      | encoding: is not possible: lines are read as UTF-8",
        "csv     | INFERSCHEMA: true     | INFERSCHEMA: has no effect: event.schema gives",
        "parquet | recursiveFileLookup: true | recursiveFileLookup: is not possible: every file",
        "json    | pathGlobFilter: '*.x' | pathGlobFilter: has its own key: source.glob. Remove it.",
        "csv     | hedaer: true          | hedaer: is not an option of csv. Did you mean header?",
        "parquet | header: true          | header: is not an option of parquet. Known options: d",
        "csv     | header: maybe         | header: 'maybe' does not fit:",
        "csv     | sep: ''               | sep: '' does not fit:",
        "csv     | timeZone: Mars        | timeZone: 'Mars' does not fit:",
        "json    | timestampFormat: bad! | timestampFormat: 'bad!' is not one of Spark's datetime",
      })
  void anOptionThatCannotWorkIsRefusedWithItsReason(String format, String option, String problem) {
    assertThat(source("{kind: files, path: /d, format: " + format + ", options: {" + option + "}}"))
        .singleElement()
        .asString()
        .startsWith("source.options." + problem);
  }

  @Test
  void optionsGetTheSpellingOfSparksDocumentation() {
    Source source =
        PipelineText.good()
            .with(
                "source",
                "{kind: files, path: /d, format: csv, options: {DELIMITER: \"\\t\", Header: true,"
                    + " nullvalue: '', timestampFormat: yyyy-MM-dd HH:mm}}")
            .spec()
            .source();
    assertThat(((Source.Files) source).options())
        .isEqualTo(
            Map.of(
                "sep", "\t",
                "header", "true",
                "nullValue", "",
                "timestampFormat", "yyyy-MM-dd HH:mm"));
  }

  @Test
  void aSeparatorIsTheCharacterItself() {
    Source source =
        PipelineText.good()
            .with("source", "{kind: files, path: /d, format: csv, options: {sep: '\\t'}}")
            .spec()
            .source();
    assertThat(((Source.Files) source).options()).isEqualTo(Map.of("sep", "\t"));
  }

  @Test
  void aByteLimitIsKeptAsWritten() {
    Source source =
        PipelineText.good()
            .with("source", "{kind: files, path: /d, format: json, max-bytes-per-trigger: 512m}")
            .spec()
            .source();
    assertThat(((Source.Files) source).maxBytesPerTrigger()).isEqualTo(Optional.of("512m"));
  }

  private static List<String> source(String yaml) {
    return PipelineText.good().with("source", yaml).problems();
  }
}
