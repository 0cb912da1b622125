package io.tidemark.tests.harness;

import io.tidemark.tests.oracle.Group;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.Instant;
import org.apache.spark.sql.Row;

/** A row of a pipeline's main view. */
public record ShownRow(io.tidemark.tests.oracle.Row measures, String status, long version) {

  public static ShownRow of(Row row) {
    return new ShownRow(measures(row), row.getAs("status"), row.<Long>getAs("version"));
  }

  public static Group group(Row row) {
    return new Group(instant(row, "window_start"), row.getAs("key"));
  }

  /** The measures in a row of a recount or of the view. */
  public static io.tidemark.tests.oracle.Row measures(Row row) {
    BigDecimal total = row.getAs("total");
    return new io.tidemark.tests.oracle.Row(
        row.<Long>getAs("event_count"),
        row.<Long>getAs("values"),
        total == null ? null : total.toBigIntegerExact(),
        row.getAs("smallest"),
        row.getAs("largest"),
        row.<Number>getAs("different").longValue());
  }

  static Instant instant(Row row, String column) {
    Object value = row.getAs(column);
    return value instanceof Timestamp timestamp ? timestamp.toInstant() : (Instant) value;
  }
}
