package io.tidemark.ingest;

import io.tidemark.spec.error.TidemarkException;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/** A streaming query that runs on a checkpoint of its own. */
public interface StreamJob {

  /** The verb, and the beginning of the query's name. */
  String name();

  Checkpoint checkpoint();

  /**
   * Looks whether checkpoint and tables fit together. To be called under the checkpoint's lock.
   *
   * @throws io.tidemark.spec.error.UnsafeEnvironmentException if they do not
   */
  void check();

  /** What may become a problem later; sentences for the operator, at each start. */
  default List<String> warnings() {
    return List.of();
  }

  /** What the query died of, where the job can tell better than the exception. */
  default Optional<TidemarkException> reasonFor(Throwable death) {
    return Optional.empty();
  }

  /**
   * Starts the query.
   *
   * @throws Exception what Spark throws where a query cannot be started
   */
  StreamingQuery start(Trigger trigger) throws Exception;

  /** Whether the query goes on where it was once it is started again. */
  default boolean goesOnAfter(Throwable death) {
    return false;
  }
}
