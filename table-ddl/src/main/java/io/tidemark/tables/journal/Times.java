package io.tidemark.tables.journal;

import java.sql.Timestamp;
import java.time.Instant;

/** Timestamps between Spark's rows and {@code java.time}, whichever of the two a session uses. */
public final class Times {

  private Times() {}

  public static Instant instant(Object value) {
    return value instanceof Timestamp timestamp ? timestamp.toInstant() : (Instant) value;
  }

  /** For a row that is given to Spark. */
  public static Timestamp sql(Instant instant) {
    return Timestamp.from(instant);
  }
}
