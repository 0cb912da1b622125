package io.tidemark.tests.harness;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/**
 * What Spark's tasks did while something ran, by their own metrics.
 *
 * @param read rows read from files and from kept batches
 * @param shuffled rows written to shuffles
 * @param written rows written to files
 */
public record WorkDone(long read, long shuffled, long written, Duration time) {

  /** Measures one thing; nothing else may run in the session meanwhile. */
  public static WorkDone by(SparkSession spark, Callable<?> work) throws Exception {
    Tally tally = new Tally();
    spark.sparkContext().addSparkListener(tally);
    try {
      long start = System.nanoTime();
      work.call();
      Duration time = Duration.ofNanos(System.nanoTime() - start);
      spark.sparkContext().listenerBus().waitUntilEmpty();
      return new WorkDone(tally.read.sum(), tally.shuffled.sum(), tally.written.sum(), time);
    } finally {
      spark.sparkContext().removeSparkListener(tally);
    }
  }

  private static final class Tally extends SparkListener {
    private final LongAdder read = new LongAdder();
    private final LongAdder shuffled = new LongAdder();
    private final LongAdder written = new LongAdder();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd task) {
      TaskMetrics metrics = task.taskMetrics();
      read.add(metrics.inputMetrics().recordsRead());
      shuffled.add(metrics.shuffleWriteMetrics().recordsWritten());
      written.add(metrics.outputMetrics().recordsWritten());
    }
  }
}
