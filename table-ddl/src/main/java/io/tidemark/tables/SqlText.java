package io.tidemark.tables;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Values as SQL literals of Spark, for places where a value cannot be bound. */
public final class SqlText {

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);

  private SqlText() {}

  /** In a session whose zone is UTC. */
  public static String literal(Instant instant) {
    return "TIMESTAMP'" + MICROS.format(instant) + "Z'";
  }

  public static String literal(LocalDate date) {
    return "DATE'" + date + "'";
  }

  public static String literal(Duration duration) {
    long millis = duration.toMillis();
    return "INTERVAL '%d.%03d' SECOND".formatted(millis / 1000, millis % 1000);
  }

  /** A string literal that holds any text, whatever its quotes and backslashes. */
  public static String literal(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
