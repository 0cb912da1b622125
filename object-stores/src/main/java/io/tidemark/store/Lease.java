package io.tidemark.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * A right that one process at a time has, kept in a folder of a store: taken by a claim, renewed by
 * further claims, given up by a last one. Who dies without giving it up loses it when it expires.
 *
 * <p>Claims are objects with the numbers 1, 2, 3, …, each made by a {@link ConditionalPut}, and the
 * highest counts. No clocks are compared: who finds a claim watches it. If a higher one comes, its
 * holder is alive, and the lease is refused. If none comes for as long as the lease holds, its
 * holder has lost it, and the next number is free to be claimed. A holder counts from before its
 * last claim was sent, so it stops before anybody else may begin; this needs clocks that run at one
 * speed, not clocks that agree. It counts by its wall clock too, as the other stands still while
 * the machine sleeps.
 *
 * <p>Take a holder that made claim 7 at 12:00:00 and died. A second process finds 7 at 12:10:00,
 * watches it until 12:10:30 and makes 8. Had the first been alive, 8 would have been there by
 * 12:10:05, and the second refused.
 *
 * <p>Claims below a holder's own are deleted. A claim that is made late, at a number that was
 * deleted meanwhile, is below the highest, so whoever takes a lease looks once more.
 *
 * <p><b>Where it ends.</b> A process that is suspended for longer than the lease holds goes on for
 * a moment when it wakes, until it looks at {@link #isHeld()}. What it writes must not do harm
 * then.
 */
public final class Lease implements AutoCloseable {

  /**
   * How long a claim holds, and how often it is renewed.
   *
   * @param renewal what a second process waits at the most until it is refused
   * @param expiry what it waits until it takes over from one that died
   */
  public record Timing(Duration renewal, Duration expiry) {

    public static final Timing USUAL = new Timing(Duration.ofSeconds(5), Duration.ofSeconds(30));

    public Timing {
      if (renewal.multipliedBy(3).compareTo(expiry) > 0) {
        throw new IllegalArgumentException(
            "a lease for " + expiry + " is renewed each " + renewal + ": less than three times");
      }
    }
  }

  private static final long WATCH_MILLIS = 200;

  private final LeaseClaims claims;
  private final Timing timing;
  private final Clock clock;
  private final ScheduledExecutorService renewals;
  private LeaseClaim mine;
  private volatile Moment heldUntil;
  private volatile boolean lost;

  /**
   * By two clocks of this machine, of which each may stand still or jump where the other does not:
   * the one that counts on while the machine sleeps, and the one that nobody sets.
   */
  private record Moment(Instant wall, long nanos) {

    static Moment now(Clock clock) {
      return new Moment(clock.instant(), System.nanoTime());
    }

    Moment plus(Duration time) {
      return new Moment(wall.plus(time), nanos + time.toNanos());
    }

    boolean isBeforeByBoth(Moment other) {
      return wall.isBefore(other.wall) && nanos - other.nanos < 0;
    }
  }

  private Lease(LeaseClaims claims, Timing timing, LeaseClaim mine, Moment asked, Clock clock) {
    this.clock = clock;
    this.claims = claims;
    this.timing = timing;
    this.mine = mine;
    this.heldUntil = asked.plus(timing.expiry());
    this.renewals =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "lease " + claims.folder());
              thread.setDaemon(true);
              return thread;
            });
    long each = timing.renewal().toNanos();
    var unused = renewals.scheduleAtFixedRate(this::renew, each, each, TimeUnit.NANOSECONDS);
  }

  /**
   * Takes the lease. Waits at most as long as a lease holds, for one whose holder may be dead.
   *
   * @param folder of this lease alone
   * @throws LeaseHeldException if a process that is alive has it
   * @throws IOException if the store cannot be asked
   */
  public static Lease acquire(Path folder, Configuration hadoop, Timing timing, Clock clock)
      throws IOException, LeaseHeldException {
    LeaseClaims claims = new LeaseClaims(folder.getFileSystem(hadoop), folder);
    LeaseHolder me = LeaseHolder.thisProcess(clock);
    while (true) {
      Optional<LeaseClaim> last = claims.newest();
      if (last.isPresent() && !last.get().released()) {
        requireExpired(claims, last.get(), timing);
      }
      LeaseClaim mine = last.map(claim -> claim.next(me)).orElse(new LeaseClaim(1, me, false));
      Moment asked = Moment.now(clock);
      try {
        claims.make(mine, timing.expiry());
      } catch (FileAlreadyExistsException taken) {
        // By a process that is alive, or gave it up at once.
        continue;
      }
      if (claims.isNewest(mine)) {
        return new Lease(claims, timing, mine, asked, clock);
      }
      claims.delete(mine.number());
    }
  }

  /** Watches a claim until it has expired, or a higher one shows that its holder is alive. */
  private static void requireExpired(LeaseClaims claims, LeaseClaim seen, Timing timing)
      throws IOException, LeaseHeldException {
    long end = System.nanoTime() + timing.expiry().toNanos();
    while (System.nanoTime() < end) {
      try {
        Thread.sleep(WATCH_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new LeaseHeldException(seen.holder());
      }
      if (!claims.isNewest(seen)) {
        Optional<LeaseClaim> now = claims.newest();
        if (now.isPresent() && !now.get().released()) {
          throw new LeaseHeldException(now.get().holder());
        }
        return;
      }
    }
  }

  /** Whether nobody else can have it. */
  public boolean isHeld() {
    return !lost && Moment.now(clock).isBeforeByBoth(heldUntil);
  }

  private synchronized void renew() {
    if (!isHeld()) {
      lost = true;
      return;
    }
    LeaseClaim next = mine.next(mine.holder());
    Moment asked = Moment.now(clock);
    try {
      claims.make(next, timing.renewal());
      renewed(next, asked);
    } catch (FileAlreadyExistsException e) {
      takeUp(next);
    } catch (IOException e) {
      // Tried again at the next turn, until what is held has expired.
    }
  }

  private void renewed(LeaseClaim claim, Moment asked) {
    if (!isHeld()) {
      // Too late: others may have held it meanwhile, and deleted their claims.
      lost = true;
      return;
    }
    mine = claim;
    heldUntil = asked.plus(timing.expiry());
    try {
      claims.delete(claim.number() - 1);
    } catch (IOException e) {
      // Claims that are left over do no harm; the next holder deletes them.
    }
  }

  /** A claim that we made without being told, or somebody else's. */
  private void takeUp(LeaseClaim next) {
    try {
      if (claims.read(next.number()).holder().equals(mine.holder())) {
        mine = next;
      } else {
        lost = true;
      }
    } catch (IOException e) {
      // Asked again at the next turn.
    }
  }

  /** Gives it up, for others to take at once. */
  @Override
  public void close() {
    // A renewal that is under way ends by itself: broken off, it might claim a number unknown to
    // us.
    renewals.shutdown();
    synchronized (this) {
      if (!isHeld()) {
        return;
      }
      LeaseClaim last = mine.released(mine.number() + 1);
      try {
        claims.make(last, timing.renewal());
        claims.deleteBelow(last.number());
      } catch (IOException e) {
        // Then it expires.
      } finally {
        lost = true;
      }
    }
  }
}
