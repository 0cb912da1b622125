package io.tidemark.cli;

import io.tidemark.spec.time.SpecDuration;
import io.tidemark.tables.Generation;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.TypeConversionException;

/** Reads the values of options. */
final class TextConverters {

  private TextConverters() {}

  /** An instant with its zone, or a day in UTC, meaning its start. */
  static Instant instant(String text) {
    try {
      return text.length() == "2026-03-01".length()
          ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
          : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new TypeConversionException(
          "'" + text + "' is no time: write 2026-03-01 or 2026-03-01T12:00:00Z");
    }
  }

  static LocalDate day(String text) {
    try {
      return LocalDate.parse(text);
    } catch (DateTimeParseException e) {
      throw new TypeConversionException("'" + text + "' is no day: write for example 2026-03-01");
    }
  }

  static Generation generation(String text) {
    if (!text.matches("g[1-9]\\d{0,8}")) {
      throw new TypeConversionException(
          "'" + text + "' is no generation: write for example g2; 'tidemark status' names them");
    }
    return Generation.parse(text);
  }

  static Duration duration(String text) {
    return SpecDuration.parse(text)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'" + text + "' is no duration: write for example 500ms, 90s, 10m, 2h or 1d"));
  }
}
