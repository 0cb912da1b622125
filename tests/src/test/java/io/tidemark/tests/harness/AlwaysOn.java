package io.tidemark.tests.harness;

import io.tidemark.tests.oracle.ArrivalBatch;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * Both queries of a pipeline while they run. Each arrival is one micro-batch of each, followed by
 * the batch without data that moves the watermark on.
 */
public final class AlwaysOn implements AutoCloseable {

  private final TestPipeline pipeline;
  private final StreamingQuery ingest;
  private final StreamingQuery aggregate;

  private AlwaysOn(TestPipeline pipeline, StreamingQuery ingest, StreamingQuery aggregate) {
    this.pipeline = pipeline;
    this.ingest = ingest;
    this.aggregate = aggregate;
  }

  static AlwaysOn start(TestPipeline pipeline) throws Exception {
    Trigger atOnce = Trigger.ProcessingTime(0);
    return new AlwaysOn(
        pipeline, pipeline.ingestJob().start(atOnce), pipeline.aggregateJob().start(atOnce));
  }

  /** Lands a file and waits until it is archived and counted. */
  public void arrive(ArrivalBatch batch) throws Exception {
    pipeline.land(batch);
    ingest.processAllAvailable();
    aggregate.processAllAvailable();
  }

  public StreamingQuery aggregate() {
    return aggregate;
  }

  @Override
  public void close() throws TimeoutException {
    ingest.stop();
    aggregate.stop();
  }
}
