package io.tidemark.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import org.apache.hadoop.fs.Path;

/** Takes a lease, says {@code held}, and keeps it until its input ends. */
final class HoldLease {

  static final Lease.Timing TIMING =
      new Lease.Timing(Duration.ofMillis(300), Duration.ofMillis(2500));

  private HoldLease() {}

  public static void main(String[] arguments) throws IOException, LeaseHeldException {
    try (Lease lease =
        Lease.acquire(
            new Path(arguments[1]),
            S3Server.configuration(Integer.parseInt(arguments[0])),
            TIMING,
            Clock.systemUTC())) {
      System.out.println(lease.isHeld() ? "held" : "lost");
      System.in.transferTo(System.out);
      System.out.write("released\n".getBytes(StandardCharsets.UTF_8));
    }
  }
}
