package io.tidemark.cli;

import io.tidemark.ingest.StopSignal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * Turns SIGTERM and SIGINT into a stop after the running batch, and an exit code of 0.
 *
 * <p>Only for a process that is Tidemark's own: in another program's, its hooks decide.
 *
 * <p>A JVM that is told to end runs its shutdown hooks, Spark's among them, which would take the
 * session away from the running batch. This hook comes before Spark's in Hadoop's order: it asks
 * for the stop, waits until the command has ended in its own way, and then ends the process itself.
 */
public final class GracefulStop {

  /** Spark's own hook has 50 at the most. */
  private static final int BEFORE_SPARK = 1000;

  private static final long LONGEST_MINUTES = 10;

  private static final CountDownLatch ENDED = new CountDownLatch(1);
  private static volatile boolean ownProcess;
  private static volatile int exitCode = ExitCode.UNEXPECTED;

  private final StopSignal signal = new StopSignal();

  private GracefulStop() {}

  public static GracefulStop onTermination() {
    GracefulStop stop = new GracefulStop();
    if (ownProcess) {
      ShutdownHookManager.get()
          .addShutdownHook(stop::drain, BEFORE_SPARK, LONGEST_MINUTES, TimeUnit.MINUTES);
    }
    return stop;
  }

  public StopSignal signal() {
    return signal;
  }

  /** To be called before the command is run, where it is all that the process is for. */
  static void ownsProcess() {
    ownProcess = true;
  }

  /** To be called when the command has ended, before the process is told to. */
  static void ended(int code) {
    exitCode = code;
    ENDED.countDown();
  }

  private void drain() {
    if (ENDED.getCount() == 0) {
      return;
    }
    signal.request();
    try {
      ENDED.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    Runtime.getRuntime().halt(exitCode);
  }
}
