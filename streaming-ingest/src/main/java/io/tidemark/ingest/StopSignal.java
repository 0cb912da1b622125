package io.tidemark.ingest;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Asks a running job to stop after the batch that it is in. */
public final class StopSignal {

  private final CountDownLatch requested = new CountDownLatch(1);

  public void request() {
    requested.countDown();
  }

  public boolean isRequested() {
    return requested.getCount() == 0;
  }

  /** Waits for the request at most so long. */
  boolean await(long millis) {
    try {
      return requested.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
