package io.tidemark.spec.fingerprint;

import io.tidemark.spec.TimeColumn;
import io.tidemark.spec.TimeColumn.TimeFormat;
import java.util.Locale;
import java.util.Optional;

/** Time columns and choices as the pipeline file writes them. */
final class Written {

  private Written() {}

  static String asInFile(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static String asInFile(Optional<TimeColumn> time) {
    return time.map(t -> t.column() + " " + format(t.format())).orElse("none");
  }

  private static String format(TimeFormat format) {
    if (format instanceof TimeFormat.Pattern pattern) {
      return CanonicalText.quoted(pattern.pattern());
    }
    if (format instanceof TimeFormat.EpochMillis) {
      return "epoch-millis";
    }
    return format instanceof TimeFormat.EpochSeconds ? "epoch-seconds" : "timestamp";
  }
}
