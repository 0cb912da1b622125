package io.tidemark.ingest;

import io.tidemark.spec.error.TidemarkException;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A source while it is ingested: its records, and what has to hold for them to come whole. */
public interface SourceStream {

  /**
   * Looks whether the source still has what the checkpoint says is next. Changes nothing.
   *
   * @throws TidemarkException if it has not, or cannot be reached
   */
  void check(Checkpoint checkpoint);

  /** What may become a problem later; sentences for the operator. */
  List<String> warnings();

  /**
   * The records as a stream, as {@link io.tidemark.spec.computation.ArchiveRows#of} takes them. To
   * be called under the checkpoint's lock, right before the query is started.
   */
  Dataset<Row> records(Checkpoint checkpoint);

  /** What the query died of, where the source can tell. */
  Optional<TidemarkException> reasonFor(Throwable death, Checkpoint checkpoint);
}
