package io.tidemark.tables;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Values as SQL literals of Spark, for places where a value cannot be bound. */
public final class SqlLiteral {

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);

  private SqlLiteral() {}

  /** In a session whose zone is UTC. */
  public static String of(Instant instant) {
    return "TIMESTAMP'" + MICROS.format(instant) + "Z'";
  }

  public static String of(LocalDate date) {
    return "DATE'" + date + "'";
  }

  public static String of(Duration duration) {
    long millis = duration.toMillis();
    return "INTERVAL '%d.%03d' SECOND".formatted(millis / 1000, millis % 1000);
  }

  /** A string literal that holds any text, whatever its quotes and backslashes. */
  public static String of(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
