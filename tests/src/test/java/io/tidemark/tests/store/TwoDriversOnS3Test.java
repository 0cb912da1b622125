package io.tidemark.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.reconcile.SettleOutcome;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.store.FaultPlan;
import io.tidemark.store.FaultProxy;
import io.tidemark.store.S3Server;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TablePath;
import io.tidemark.tests.harness.Await;
import io.tidemark.tests.harness.ChildJvm;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.harness.TestSpark;
import io.tidemark.tests.oracle.ArrivalBatch;
import io.tidemark.tests.oracle.Event;
import io.tidemark.tests.oracle.Limits;
import io.tidemark.tests.oracle.Oracle;
import io.tidemark.tests.oracle.Rules;
import io.tidemark.tests.oracle.Windows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stream in one process, settlements and maintenance in another, on the same tables in a bucket,
 * over a network that loses answers, refuses and delays.
 */
@Tag("spark")
@Timeout(400)
class TwoDriversOnS3Test {

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(30);
  private static final Duration LONGEST = Duration.ofSeconds(150);
  private static final int FILES = 20;
  private static final Rules RULES =
      Rules.countingAll(
          new Limits(Duration.ofSeconds(30), Duration.ofDays(30)),
          Windows.tumbling(Duration.ofMinutes(1)));

  /** What only one of two may write: commits, and batches of checkpoints. */
  private static final String CONTESTED =
      "_delta_log/[0-9]{20}\\.json|_checkpoints/.*/(offsets|commits)/|\\.lease/";

  @TempDir Path directory;

  private S3Server server;
  private FaultProxy proxy;
  private TestPipeline pipeline;

  @BeforeEach
  void start() throws Exception {
    server = S3Server.start(directory);
    proxy = FaultProxy.before(server, FaultPlan.moderate(20260302, CONTESTED));
    Configuration hadoop = TestSpark.session().sparkContext().hadoopConfiguration();
    S3Server.settings(proxy.port()).forEach(hadoop::set);
    pipeline =
        TestPipeline.in(
            directory,
            S3Server.uri("warehouse"),
            yaml -> yaml.withMaxFutureSkew("30s").with("tables", "{partition: hour}"));
  }

  @AfterEach
  void stop() throws Exception {
    proxy.close();
    server.close();
  }

  @Test
  void streamSettlementsAndMaintenanceLoseAndDoubleNothing() throws Exception {
    Path settings = directory.resolve("spark.properties");
    Files.writeString(
        settings,
        S3Server.settings(proxy.port()).entrySet().stream()
            .map(setting -> "spark.hadoop." + setting.getKey() + "=" + setting.getValue() + "\n")
            .collect(Collectors.joining()));
    land(0);
    land(1);
    ChildJvm stream =
        ChildJvm.start(
            pipeline,
            List.of(),
            "stream",
            "--trigger",
            "1s",
            "--properties-file",
            settings.toString());
    Work work = new Work();
    try {
      Await.until(
          "the stream counts", () -> !stream.process().isAlive() || versions("progress") > 2);
      Thread arrivals = new Thread(this::landAll);
      arrivals.start();
      long end = System.nanoTime() + LONGEST.toNanos();
      while ((arrivals.isAlive() || work.adopted == 0)
          && System.nanoTime() < end
          && stream.process().isAlive()) {
        work.settle();
        work.maintain();
      }
      arrivals.join();
      long landed = pipeline.landed().size();
      Await.until(
          "all is archived",
          () ->
              !stream.process().isAlive()
                  || pipeline.read(pipeline.tables().archive()).count() == landed);
      stream.terminate();
      assertThat(stream.exitCode()).as(stream.said()).isZero();
    } finally {
      stream.process().destroyForcibly().waitFor();
    }
    pipeline.close();

    Map<String, Long> commits = commits();
    System.out.printf(
        "commits %s, settlements adopted %d, compactions %d, conflicts %d; puts %d, faults %s%n",
        commits, work.adopted, work.compactions, work.conflicts, proxy.puts(), proxy.counts());
    assertThat(pipeline.read(pipeline.tables().archive()).count())
        .isEqualTo(pipeline.landed().size());
    assertThat(pipeline.measures()).isEqualTo(new Oracle(RULES).answer(pipeline.landed()).rows());
    assertThat(pipeline.verify().differing()).isZero();
    assertThat(proxy.faults()).as("else nothing was shown").isGreaterThan(5);
    assertThat(work.adopted).as("settlements beside the stream").isPositive();
  }

  /** Settlements and maintenance, as often as the time allows. */
  private final class Work {
    private int adopted;
    private long compactions;
    private int conflicts;

    void settle() {
      try {
        if (pipeline.settle() instanceof SettleOutcome.Adopted) {
          adopted++;
        }
      } catch (ConflictException tryAgain) {
        conflicts++;
      }
    }

    void maintain() {
      compactions +=
          pipeline
              .maintainJob()
              .run(Duration.ofDays(2), Optional.empty())
              .upkeep()
              .tables()
              .stream()
              .mapToLong(table -> table.compaction().partitions())
              .sum();
    }
  }

  private void landAll() {
    try {
      for (int file = 2; file < FILES; file++) {
        land(file);
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot land a file", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Twenty keys half an hour on, a copy of one of them, and one that comes an hour late. */
  private void land(int file) throws IOException {
    Instant time = START.plus(STEP.multipliedBy(file));
    List<Event> events = new ArrayList<>();
    for (int key = 0; key < 20; key++) {
      events.add(Events.at("e-" + file + "-" + key, "K" + key, time.plusSeconds(key)));
    }
    events.add(Events.at("e-" + file + "-0", "K0", time));
    events.add(
        new Event("late-" + file, "K1", time.minus(Duration.ofHours(1)), time.plusSeconds(20), 1L));
    ArrivalBatch batch = Events.file("%05d".formatted(file), events);
    pipeline.land(batch);
  }

  private long versions(String table) {
    return commits().getOrDefault(table, 0L);
  }

  /** The number of versions of each table, which must be without a gap. */
  private Map<String, Long> commits() {
    PipelineTables tables = pipeline.tables();
    Map<String, Long> commits = new TreeMap<>();
    commits.put("archive", commits(tables.archive()));
    commits.put("aggregates", commits(tables.aggregates()));
    commits.put("progress", commits(tables.progress()));
    commits.put("settlements", commits(tables.settlements()));
    commits.put("corrections", commits(tables.corrections()));
    return commits;
  }

  private static long commits(TablePath table) {
    org.apache.hadoop.fs.Path log = new org.apache.hadoop.fs.Path(table.value(), "_delta_log");
    Configuration hadoop = TestSpark.session().sparkContext().hadoopConfiguration();
    try {
      List<Long> versions =
          Arrays.stream(log.getFileSystem(hadoop).listStatus(log))
              .map(file -> file.getPath().getName())
              .filter(Pattern.compile("[0-9]{20}\\.json").asMatchPredicate())
              .map(name -> Long.valueOf(name.substring(0, 20)))
              .sorted()
              .toList();
      assertThat(versions)
          .containsExactlyElementsOf(LongStream.range(0, versions.size()).boxed().toList());
      return versions.size();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot list " + log, e);
    }
  }
}
