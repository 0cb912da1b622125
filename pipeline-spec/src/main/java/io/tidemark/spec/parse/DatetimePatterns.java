package io.tidemark.spec.parse;

import java.time.ZoneOffset;
import org.apache.spark.sql.catalyst.util.TimestampFormatter$;

/** Spark's datetime patterns. */
final class DatetimePatterns {

  private DatetimePatterns() {}

  /** Whether Spark parses times with the pattern. */
  static boolean isValid(String pattern) {
    try {
      TimestampFormatter$.MODULE$.apply(pattern, ZoneOffset.UTC, true).validatePatternString(false);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }
}
