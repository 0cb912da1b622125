package io.tidemark.tables;

import io.tidemark.spec.error.ConflictException;
import java.util.Map;
import org.apache.spark.sql.Observation;
import org.jspecify.annotations.Nullable;

/** What was observed of rows in the pass that evaluated or wrote them, by name. */
public record ObservedMetrics(Map<String, Object> values) {

  /**
   * Waits for them.
   *
   * @param what became of the rows in that pass, e.g. {@code evaluated}
   * @throws ConflictException if the thread is stopped meanwhile
   */
  public static ObservedMetrics await(Observation observation, String what) {
    try {
      return new ObservedMetrics(observation.getAsJava());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConflictException("Stopped while rows were " + what + "; run again.", e);
    }
  }

  /** A value; null where there was no row. */
  public @Nullable Object value(String name) {
    return values.get(name);
  }

  /** A number; 0 where there was no row. */
  public long number(String name) {
    return value(name) instanceof Number number ? number.longValue() : 0;
  }
}
