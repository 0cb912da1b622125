package io.tidemark.spec.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventRulesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a b c                     | is not a list of columns: Syntax error at or near 'c'",
        "`my-id` STRING            | 'my-id' is not a letter or _ followed by letters, digits or _",
        "_metadata STRING          | '_metadata' is the name of Spark's column of file metadata",
        "_Tidemark_x STRING        | '_Tidemark_x' begins with _tidemark, as Tidemark's own",
        "a STRING NOT NULL         | column a is NOT NULL, but a record is taken as it comes",
        "s STRUCT<b: INT NOT NULL> | column s is NOT NULL, but a record is taken as it comes",
        "a STRING, A INT           | has two columns A (case is ignored)",
        "a VARCHAR(3)              | column a is VARCHAR(3). Make it STRING",
        "a INTERVAL DAY            | column a is INTERVAL DAY, which a table cannot hold",
      })
  void aSchemaThatCannotWorkIsRefused(String columns, String problem) {
    assertThat(PipelineText.good().withColumns(columns).problems())
        .singleElement()
        .asString()
        .startsWith("event.schema: " + problem);
  }

  @Test
  void csvHoldsPlainColumnsOnly() {
    assertThat(
            PipelineText.good()
                .withColumns("tags ARRAY<INT>")
                .with("source", "{kind: files, path: /d, format: csv}")
                .problems())
        .containsExactly(
            "event.schema: column tags is ARRAY<INT>, which CSV cannot hold. Make it STRING.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "t  | TIMESTAMP",
        "{column: T}  | TIMESTAMP",
        "{column: t, format: epoch-millis}  | BIGINT",
        "{column: t, format: epoch-millis}  | INT",
        "{column: t, format: epoch-seconds} | BIGINT",
        "{column: t, format: epoch-seconds} | DECIMAL(20,6)",
        "{column: t, format: epoch-seconds} | DOUBLE",
        "{column: t, format: yyyy-MM-dd'T'HH:mm:ss.SSSXXX} | STRING",
      })
  void aTimeThatFitsItsFormatIsTaken(String time, String type) {
    assertThat(timeProblems(time, type)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "t | BIGINT | : column t is BIGINT, not TIMESTAMP. Write {column: t, format: epoch-millis}"
            + " or epoch-seconds.",
        "t | STRING | : column t is STRING, not TIMESTAMP. Write {column: t, format: <pattern>}, or"
            + " make the column TIMESTAMP.",
        "t | DATE | : column t is DATE, not TIMESTAMP. Use a column that is TIMESTAMP, a number or"
            + " STRING.",
        "t | TIMESTAMP_NTZ | : column t is TIMESTAMP_NTZ, not TIMESTAMP. Use a column that is"
            + " TIMESTAMP, a number or STRING.",
        "{column: t, format: epoch-millis} | TIMESTAMP | : column t is TIMESTAMP, not an integer,"
            + " as epoch-millis needs. Leave the format out.",
        "{column: t, format: epoch-millis} | DOUBLE | : column t is DOUBLE, not an integer, as"
            + " epoch-millis needs. Write {column: t, format: epoch-millis} or epoch-seconds.",
        "{column: t, format: yyyy} | BIGINT | : column t is BIGINT, not STRING, as a pattern needs."
            + " Write {column: t, format: epoch-millis} or epoch-seconds.",
        "{column: t, format: epoch-nanos} | BIGINT | .format: 'epoch-nanos' is not one of Spark's"
            + " datetime patterns. Write epoch-millis, epoch-seconds or a pattern, e.g."
            + " yyyy-MM-dd'T'HH:mm:ssXXX.",
        "{format: epoch-millis} | BIGINT | .column: is missing. Add column: <name>.",
        "{column: t, formt: yyyy} | TIMESTAMP | .formt: is not a known key. Did you mean format?",
        "tt | TIMESTAMP | : 'tt' is not a column. Did you mean t?",
      })
  void aTimeThatDoesNotFitIsRefused(String time, String type, String problem) {
    assertThat(timeProblems(time, type)).containsExactly("event.time" + problem);
  }

  @Test
  void idColumnsExistAndCanBeCompared() {
    assertThat(event("{schema: 'a STRING, v VARIANT, t TIMESTAMP', id: [b, v, a, A], time: t}"))
        .containsExactly(
            "event.id[0]: 'b' is not a column. Did you mean a?",
            "event.id[1]: column v is VARIANT, whose values cannot be compared one by one. Use"
                + " columns that are numbers, texts, dates, timestamps, booleans or BINARY.",
            "event.id[3]: names a twice. Remove one.");
    assertThat(event("{schema: 'a STRING, t TIMESTAMP', id: [], time: t}"))
        .containsExactly("event.id: names no column. Name one, or leave id out.");
  }

  @Test
  void aTextCollatedWithoutCaseIsNoId() {
    assertThat(event("{schema: 'a STRING COLLATE UTF8_LCASE, t TIMESTAMP', id: a, time: t}"))
        .singleElement()
        .asString()
        .startsWith("event.id: column a is STRING COLLATE UTF8_LCASE, whose values");
  }

  @Test
  void ageAndSkewAreDurations() {
    assertThat(event("{schema: t TIMESTAMP, time: t, id: t, max-age: 0d, max-future-skew: -1m}"))
        .containsExactly(
            "event.max-future-skew: '-1m' is not a duration. Write a whole number and one of the"
                + " units ms, s, m, h, d, e.g. 90s.",
            "event.max-age: must be longer than 0. Write for example 1m.");
  }

  @Test
  void withoutArrivalTheModificationTimeIsWarnedOf() {
    assertThat(
            PipelineText.good().with("event", "{schema: t TIMESTAMP, time: t, id: t}").warnings())
        .containsExactly(
            "event: has no arrival: the file's modification time decides what is late, too old or"
                + " in the future, and changes when a file is copied. Name a column with arrival,"
                + " if the records have one.");
  }

  @Test
  void linesOfTextNeedAnIdOrTheWordThatIdenticalOnesAreOne() {
    PipelineText noId =
        PipelineText.good().with("event", "{schema: t TIMESTAMP, time: t, arrival: t}");
    assertThat(noId.problems())
        .containsExactly(
            "event: has no id: lines of json files have no position, so identical lines of a file"
                + " count once. Name the columns that identify an event with event.id, or add"
                + " identical-lines: one if that is right.");
    assertThat(noId.with("identical-lines", "one").problems()).isEmpty();
    assertThat(noId.with("identical-lines", "two").problems())
        .containsExactly("identical-lines: 'two' is not known here. Known values: one.");
  }

  @Test
  void keepingCopiesOfLinesNeedsTheSameWord() {
    PipelineText keep = PipelineText.good().with("duplicates", "keep");
    assertThat(keep.problems())
        .containsExactly(
            "duplicates: 'keep' cannot tell copies apart: lines of json files have no position, so"
                + " identical lines of a file count once. Add identical-lines: one if that is"
                + " right, or write duplicates: drop with event.id.");
    assertThat(keep.with("identical-lines", "one").problems()).isEmpty();
  }

  @Test
  void rowsOfParquetHaveAPosition() {
    PipelineText parquet =
        PipelineText.good()
            .with("source", "{kind: files, path: /d, format: parquet}")
            .with("event", "{schema: t TIMESTAMP, time: t, arrival: t}")
            .with("duplicates", "keep");
    assertThat(parquet.warnings()).isEmpty();
    assertThat(parquet.with("identical-lines", "one").warnings())
        .containsExactly(
            "identical-lines has no effect on parquet, whose rows have a position. Remove it.");
  }

  private static List<String> timeProblems(String time, String type) {
    return event("{schema: 't " + type + ", a STRING', id: a, time: " + time + "}");
  }

  private static List<String> event(String yaml) {
    return PipelineText.good().with("event", yaml).problems();
  }
}
