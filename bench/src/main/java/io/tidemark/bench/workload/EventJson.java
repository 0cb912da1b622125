package io.tidemark.bench.workload;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;

/** An event as a line of JSON. No value of it needs escaping. */
final class EventJson {

  private static final int PRODUCERS = 1_000;
  private static final int KEY_DIGITS = 7;
  private static final HexFormat HEX = HexFormat.of();
  private static final String[] TYPES = {"view", "click", "order"};

  private EventJson() {}

  static String line(BenchEvent event) {
    StringBuilder line = new StringBuilder(320);
    line.append("{\"event_id\":\"").append(HEX.toHexDigits(event.idHigh()));
    line.append(HEX.toHexDigits(event.idLow()));
    line.append("\",\"producer_id\":").append(event.key() % PRODUCERS);
    line.append(",\"seq\":").append(event.number());
    line.append(",\"key\":\"").append(key(event.key()));
    line.append("\",\"event_type\":\"").append(TYPES[event.type()]);
    line.append("\",\"value\":").append(event.valueCents());
    line.append(",\"event_time\":\"").append(time(event.eventMicros()));
    line.append("\",\"ingest_time\":\"").append(time(event.arrivalMicros())).append('"');
    if (!event.payload().isEmpty()) {
      line.append(",\"payload\":\"").append(event.payload()).append('"');
    }
    return line.append("}\n").toString();
  }

  /** Like k0000017. */
  static String key(int key) {
    String digits = Integer.toString(key);
    return "k" + "0".repeat(KEY_DIGITS - digits.length()) + digits;
  }

  private static Instant time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
