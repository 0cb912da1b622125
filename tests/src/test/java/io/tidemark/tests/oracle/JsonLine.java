package io.tidemark.tests.oracle;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** An event as one line of JSON. A missing value is left out, the other fields are written null. */
public final class JsonLine {

  /** The columns of a line, for a pipeline that reads it. */
  public static final String SCHEMA =
      "id STRING, key STRING, happened_at TIMESTAMP, arrived_at TIMESTAMP, value BIGINT";

  private static final DateTimeFormatter MILLISECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private JsonLine() {}

  public static String of(Event event) {
    String value = event.value() == null ? "" : ",\"value\":" + event.value();
    return "{\"id\":"
        + quoted(event.id())
        + ",\"key\":"
        + quoted(event.key())
        + ",\"happened_at\":"
        + time(event.happenedAt())
        + ",\"arrived_at\":"
        + time(event.arrivedAt())
        + value
        + "}";
  }

  private static String time(@Nullable Instant instant) {
    return quoted(instant == null ? null : MILLISECONDS.format(instant));
  }

  private static String quoted(@Nullable String text) {
    if (text == null) {
      return "null";
    }
    String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return "\"" + escaped + "\"";
  }
}
