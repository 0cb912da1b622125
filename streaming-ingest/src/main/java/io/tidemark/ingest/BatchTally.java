package io.tidemark.ingest;

import org.apache.spark.sql.streaming.StreamingQueryProgress;

/**
 * What a job did in one run.
 *
 * @param batches that read something
 * @param inputRows read by them; blank lines count too
 * @param lastBatch the newest of those batches
 */
public record BatchTally(String job, long batches, long inputRows, long lastBatch) {

  static BatchTally none(String job) {
    return new BatchTally(job, 0, 0, -1);
  }

  /** Together with what the same job did in another run. */
  BatchTally plus(BatchTally other) {
    return new BatchTally(
        job,
        batches + other.batches,
        inputRows + other.inputRows,
        Math.max(lastBatch, other.lastBatch));
  }

  /**
   * Adds the batches that are new.
   *
   * @param recent in the order of their batches; Spark keeps the last hundred
   */
  BatchTally with(StreamingQueryProgress[] recent) {
    long newBatches = batches;
    long newRows = inputRows;
    long newest = lastBatch;
    for (StreamingQueryProgress progress : recent) {
      // A query that waits for data reports too, and names the batch that is still to come.
      if (progress.numInputRows() > 0 && progress.batchId() > newest) {
        newest = progress.batchId();
        newRows += progress.numInputRows();
        newBatches++;
      }
    }
    return new BatchTally(job, newBatches, newRows, newest);
  }
}
