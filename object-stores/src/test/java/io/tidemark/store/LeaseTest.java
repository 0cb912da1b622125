package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.FaultProxy.Fault;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LeaseTest {

  @TempDir static java.nio.file.Path directory;
  private static S3Server server;

  private final Path folder = new Path(S3Server.uri("leases/" + UUID.randomUUID()));
  private final Configuration configuration = S3Server.configuration(server.port());

  @BeforeAll
  static void start() throws Exception {
    server = S3Server.start(directory);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private Lease acquire() throws IOException, LeaseHeldException {
    return Lease.acquire(folder, configuration, HoldLease.TIMING, Clock.systemUTC());
  }

  private Process otherProcess() throws IOException {
    Process process =
        new ProcessBuilder(
                java.nio.file.Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                HoldLease.class.getName(),
                Integer.toString(server.port()),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    assertThat(output.readLine()).isEqualTo("held");
    return process;
  }

  @Test
  void aLeaseOfALivingProcessIsRefusedAndNamesIt() throws Exception {
    Process other = otherProcess();
    try {
      assertThatThrownBy(this::acquire)
          .isInstanceOf(LeaseHeldException.class)
          .hasMessageStartingWith("held by process " + other.pid() + "@");
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  @Test
  void aLeaseOfAKilledProcessIsTakenOverWhenItHasExpired() throws Exception {
    Process other = otherProcess();
    other.destroyForcibly().waitFor();
    long began = System.nanoTime();
    try (Lease lease = acquire()) {
      assertThat(lease.isHeld()).isTrue();
      assertThat(System.nanoTime() - began)
          .as("not before it has expired")
          .isGreaterThanOrEqualTo(HoldLease.TIMING.expiry().toNanos());
      assertThatThrownBy(this::acquire).isInstanceOf(LeaseHeldException.class);
    }
  }

  @Test
  void aLeaseThatWasGivenUpIsTakenAtOnce() throws Exception {
    Process other = otherProcess();
    other.getOutputStream().close();
    assertThat(other.waitFor()).isZero();
    long began = System.nanoTime();
    try (Lease lease = acquire()) {
      assertThat(lease.isHeld()).isTrue();
      assertThat(System.nanoTime() - began).isLessThan(HoldLease.TIMING.expiry().toNanos());
    }
  }

  @Test
  void aLeaseIsRenewedThroughFaultsAndLeavesOneObjectBehind() throws Exception {
    FaultPlan faults =
        FaultPlan.of(
            1, Map.of(Fault.LOST_ACKNOWLEDGEMENT, 0.3, Fault.SLOW_DOWN_503, 0.1), "leases/");
    try (FaultProxy proxy = FaultProxy.before(server, faults)) {
      Configuration through = S3Server.configuration(proxy.port());
      through.setBoolean("fs.s3a.impl.disable.cache", true);
      try (Lease lease = Lease.acquire(folder, through, HoldLease.TIMING, Clock.systemUTC())) {
        long end = System.nanoTime() + HoldLease.TIMING.expiry().toNanos() * 2;
        while (System.nanoTime() < end) {
          assertThat(lease.isHeld()).isTrue();
          Thread.onSpinWait();
        }
      }
      assertThat(proxy.faults()).isPositive();
    }
    FileSystem fileSystem = folder.getFileSystem(configuration);
    assertThat(Arrays.stream(fileSystem.listStatus(folder))).hasSize(1);
  }

  /** While it sleeps only its wall clock goes on. */
  @Test
  void aLeaseIsLostWhileTheMachineSleeps() throws Exception {
    AtomicReference<Instant> wall = new AtomicReference<>(Instant.EPOCH);
    Clock clock = Clock.systemUTC();
    Clock sleeping =
        new Clock() {
          @Override
          public Instant instant() {
            return clock.instant().plus(Duration.between(Instant.EPOCH, wall.get()));
          }

          @Override
          public ZoneId getZone() {
            return clock.getZone();
          }

          @Override
          public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
          }
        };
    try (Lease lease = Lease.acquire(folder, configuration, HoldLease.TIMING, sleeping)) {
      assertThat(lease.isHeld()).isTrue();
      wall.set(Instant.EPOCH.plus(HoldLease.TIMING.expiry()));
      assertThat(lease.isHeld()).isFalse();
      Thread.sleep(HoldLease.TIMING.renewal().toMillis() * 2);
      wall.set(Instant.EPOCH);
      assertThat(lease.isHeld()).as("lost is lost").isFalse();
    }
  }

  @Test
  void aLeaseIsLostWithTheStore() throws Exception {
    FaultPlan none = FaultPlan.of(1, Map.of(), "none");
    FaultProxy proxy = FaultProxy.before(server, none);
    Configuration through = S3Server.configuration(proxy.port());
    through.setBoolean("fs.s3a.impl.disable.cache", true);
    try (Lease lease = Lease.acquire(folder, through, HoldLease.TIMING, Clock.systemUTC())) {
      proxy.close();
      long end = System.nanoTime() + HoldLease.TIMING.expiry().toNanos() * 2;
      while (lease.isHeld() && System.nanoTime() < end) {
        Thread.sleep(20);
      }
      assertThat(lease.isHeld()).isFalse();
    }
  }
}
