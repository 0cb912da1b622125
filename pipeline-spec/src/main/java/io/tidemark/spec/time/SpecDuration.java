package io.tidemark.spec.time;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as the pipeline file writes them: a whole number and one of the units ms, s, m, h, d,
 * e.g. {@code 500ms}, {@code 90s}, {@code 1d}. A day is 24 hours.
 */
public final class SpecDuration {

  private static final Pattern TEXT = Pattern.compile("(\\d{1,18})(ms|s|m|h|d)");

  /** Spark counts intervals in microseconds, in a long. */
  private static final long MAX_MILLIS = Long.MAX_VALUE / 1000;

  private SpecDuration() {}

  /** The duration; empty where the text is not one or is longer than 292 thousand years. */
  public static Optional<Duration> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long count = Long.parseLong(matcher.group(1));
    long unitMillis = unitMillis(matcher.group(2));
    return count > MAX_MILLIS / unitMillis
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(count * unitMillis));
  }

  /** The shortest such text, in the largest unit that divides the duration: 90s, but 2m. */
  public static String format(Duration duration) {
    long millis = duration.toMillis();
    if (millis == 0) {
      return "0s";
    }
    for (String unit : new String[] {"d", "h", "m", "s"}) {
      if (millis % unitMillis(unit) == 0) {
        return millis / unitMillis(unit) + unit;
      }
    }
    return millis + "ms";
  }

  private static long unitMillis(String unit) {
    return switch (unit) {
      case "d" -> Duration.ofDays(1).toMillis();
      case "h" -> Duration.ofHours(1).toMillis();
      case "m" -> Duration.ofMinutes(1).toMillis();
      case "s" -> 1000;
      default -> 1;
    };
  }
}
