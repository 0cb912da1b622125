package io.tidemark.ingest;

import io.tidemark.ingest.StreamRun.Wanted;
import io.tidemark.spec.error.ConflictException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.jspecify.annotations.Nullable;

/** The jobs of a {@link StreamRun}, running or waiting to be started again. Closing stops them. */
final class Fleet implements AutoCloseable {

  private static final Duration FIRST_WAIT = Duration.ofSeconds(10);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

  /** Spark's scheduler pools: what readers see comes first. */
  private static final String POOL = "spark.scheduler.pool";

  private static final String REQUIRED_POOL = "live";
  private static final String OTHER_POOL = "beside";

  private final Trigger trigger;
  private final Duration patience;
  private final Consumer<String> messages;
  private final Clock clock;
  private final Map<String, Member> members = new LinkedHashMap<>();
  private final List<BatchTally> left = new ArrayList<>();
  private boolean followed;

  Fleet(Trigger trigger, Duration patience, Consumer<String> messages, Clock clock) {
    this.trigger = trigger;
    this.patience = patience;
    this.messages = messages;
    this.clock = clock;
  }

  /** A job, and what it is at. */
  private static final class Member {
    private final StreamJob job;
    private boolean required;
    private @Nullable CheckpointLock lock;
    private @Nullable RunningQuery query;
    private Duration wait = FIRST_WAIT;
    private Instant next = Instant.MIN;

    Member(Wanted wanted) {
      this.job = wanted.job();
      this.required = wanted.required();
    }
  }

  /**
   * Takes the jobs' locks and has them look at their tables, all before any is started.
   *
   * @throws io.tidemark.spec.error.TidemarkException if one of them cannot run
   */
  void lock(List<Wanted> wanted) {
    for (Wanted one : wanted) {
      Member member = new Member(one);
      members.put(key(one), member);
      member.lock = CheckpointLock.acquire(one.job().checkpoint());
    }
    wanted.forEach(one -> one.job().check());
  }

  /** Starts one that is locked. */
  void start(Wanted wanted) {
    start(Objects.requireNonNull(members.get(key(wanted))));
  }

  /**
   * Starts what is wanted and does not run, and stops what runs and is not wanted any more. One
   * that is required now and was not, or the other way round, is started anew as such.
   *
   * @throws io.tidemark.spec.error.TidemarkException if a required one cannot run; later than the
   *     first time not where another process runs it
   */
  void follow(List<Wanted> wanted) {
    Map<String, Wanted> byKey = new LinkedHashMap<>();
    wanted.forEach(one -> byKey.put(key(one), one));
    for (String key : List.copyOf(members.keySet())) {
      Member member = Objects.requireNonNull(members.get(key));
      Wanted now = byKey.get(key);
      if (now == null || now.required() != member.required) {
        messages.accept(
            now == null
                ? "Stopping %s: it is not wanted any more.".formatted(member.job.name())
                : "Starting %s anew: it is %s now."
                    .formatted(
                        member.job.name(),
                        now.required() ? "the live one" : "beside the live one"));
        left.addAll(end(member));
        members.remove(key);
      }
    }
    List<Wanted> required =
        wanted.stream()
            .filter(Wanted::required)
            .filter(one -> !members.containsKey(key(one)))
            .toList();
    if (!followed) {
      lock(required);
      required.forEach(this::start);
      followed = true;
    }
    wanted.stream()
        .filter(one -> !members.containsKey(key(one)))
        .forEach(one -> members.put(key(one), new Member(one)));
    tend();
  }

  private static String key(Wanted wanted) {
    return wanted.job().checkpoint().location();
  }

  /** Whether a required query runs, or will be tried again. */
  boolean isActive() {
    return members.values().stream()
        .anyMatch(
            one ->
                one.required
                    && (one.query == null
                        ? one.next.isAfter(Instant.MIN)
                        : one.query.isActive() || one.query.goesOnWhenStartedAgain()));
  }

  boolean hasLostRequired() {
    return members.values().stream()
        .anyMatch(one -> one.required && one.query != null && one.query.isDead());
  }

  /**
   * Counts batches, and starts what does not run where it is due.
   *
   * @throws io.tidemark.spec.error.TidemarkException what a required one died of, or that it has
   *     lost its checkpoint
   */
  void tend() {
    for (Member member : members.values()) {
      RunningQuery query = member.query;
      if (query != null) {
        query.count();
        stopWithoutLock(member, query);
        if (query.goesOnWhenStartedAgain()) {
          messages.accept(
              "Starting %s anew: the archive has new columns.".formatted(member.job.name()));
          left.add(query.tally());
          start(member);
        } else if (member.required) {
          query.throwIfDead();
        } else if (!query.isActive()) {
          putOff(member, query);
        }
      } else if (member.lock == null && !clock.instant().isBefore(member.next)) {
        tryToStart(member);
      }
    }
  }

  /** Another process may run on the checkpoint: not even the running batch is waited for. */
  private static void stopWithoutLock(Member member, RunningQuery query) {
    try {
      Objects.requireNonNull(member.lock).requireHeld();
    } catch (ConflictException e) {
      query.stopNow();
      if (member.required) {
        throw e;
      }
    }
  }

  private void putOff(Member member, RunningQuery query) {
    RuntimeException death = new IllegalStateException("it was stopped");
    try {
      query.throwIfDead();
    } catch (RuntimeException e) {
      death = e;
    }
    // One that got ahead is tried again soon.
    if (query.tally().batches() > 0) {
      member.wait = FIRST_WAIT;
    }
    left.addAll(end(member));
    putOff(member, death);
  }

  private void putOff(Member member, RuntimeException why) {
    member.next = clock.instant().plus(member.wait);
    messages.accept(
        withoutIt(member.job, why)
            + " It is tried again in %d s.".formatted(member.wait.toSeconds()));
    member.wait =
        member.wait.multipliedBy(2).compareTo(LONGEST_WAIT) < 0
            ? member.wait.multipliedBy(2)
            : LONGEST_WAIT;
  }

  /** For the operator. */
  static String withoutIt(StreamJob job, Exception why) {
    return "%s does not run, and the others go on without it: %s"
        .formatted(job.name(), reason(why));
  }

  private static String reason(Throwable why) {
    Throwable deepest = why;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return deepest == why ? why.getMessage() + "" : why.getMessage() + ": " + deepest.getMessage();
  }

  private void tryToStart(Member member) {
    try {
      member.lock = CheckpointLock.acquire(member.job.checkpoint());
      member.job.check();
      if (!member.required) {
        messages.accept("Starting %s beside the live one.".formatted(member.job.name()));
      }
      start(member);
    } catch (RuntimeException e) {
      release(member);
      // One that has become the live one may still be fed by a process of its own.
      if (member.required && !(e instanceof ConflictException)) {
        throw e;
      }
      putOff(member, e);
    }
  }

  private void start(Member member) {
    SparkSession session = SparkSession.active();
    RuntimeConfig conf = session.conf();
    member.job.checkpoint().keptSettings(conf).forEach(messages);
    member.job.warnings().forEach(warning -> messages.accept("Warning: " + warning));
    SparkContext context = session.sparkContext();
    // A query's thread inherits it.
    context.setLocalProperty(POOL, member.required ? REQUIRED_POOL : OTHER_POOL);
    try {
      member.query = new RunningQuery(member.job, member.job.start(trigger));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("Could not start " + member.job.name(), e);
    } finally {
      context.setLocalProperty(POOL, null);
    }
  }

  /** Ends a job that has nothing left to do, or after its running batch; its lock stays. */
  List<BatchTally> finish(Wanted wanted) {
    Member member = Objects.requireNonNull(members.get(key(wanted)));
    RunningQuery query = member.query;
    if (query == null) {
      return List.of();
    }
    query.throwIfDead();
    query.stopAfterBatch(patience);
    query.count();
    member.query = null;
    return List.of(query.tally());
  }

  /** Ends all of them after their running batches. */
  List<BatchTally> stop() {
    for (Member member : members.values()) {
      if (member.required && member.query != null) {
        member.query.throwIfDead();
      }
    }
    List<BatchTally> tallies = new ArrayList<>();
    for (Member member : members.values()) {
      tallies.addAll(end(member));
    }
    members.clear();
    return merged(left, tallies);
  }

  /** One for each job, in the order of their last starts. */
  private static List<BatchTally> merged(List<BatchTally> before, List<BatchTally> last) {
    Map<String, BatchTally> byJob = new LinkedHashMap<>();
    last.forEach(tally -> byJob.put(tally.job(), tally));
    before.forEach(tally -> byJob.merge(tally.job(), tally, BatchTally::plus));
    return List.copyOf(byJob.values());
  }

  private List<BatchTally> end(Member member) {
    RunningQuery query = member.query;
    List<BatchTally> tally = new ArrayList<>();
    if (query != null) {
      query.stopAfterBatch(patience);
      query.count();
      tally.add(query.tally());
      member.query = null;
    }
    release(member);
    return tally;
  }

  private static void release(Member member) {
    if (member.lock != null) {
      member.lock.close();
      member.lock = null;
    }
  }

  @Override
  public void close() {
    for (Member member : members.values()) {
      if (member.query != null) {
        member.query.stopNow();
      }
      release(member);
    }
  }
}
