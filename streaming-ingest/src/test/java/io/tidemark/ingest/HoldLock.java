package io.tidemark.ingest;

import io.tidemark.spec.error.ConflictException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** A process that takes a checkpoint's lock, says so, and holds it until its input ends. */
final class HoldLock {

  private HoldLock() {}

  public static void main(String[] arguments) throws IOException {
    try (CheckpointLock lock =
        CheckpointLock.acquire(new Checkpoint(arguments[0], new Configuration(false)))) {
      System.out.println("held " + (lock != null));
      while (System.in.read() >= 0) {}
    } catch (ConflictException e) {
      System.out.println(e.getMessage());
    }
  }
}
