package io.tidemark.tests.generation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.min;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tables.TableFormat;
import io.tidemark.tests.harness.Await;
import io.tidemark.tests.harness.ChildJvm;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.harness.TwoNights;
import io.tidemark.tests.oracle.Event;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The time from an event's arrival until it is counted, by a stream in a process of its own, before
 * a rebuild in another one and during it.
 */
@Tag("spark")
@Tag("alone")
class LagDuringRebuildTest {

  private static final Duration MAX_LAG = Duration.ofSeconds(60);
  private static final Duration BETWEEN_FILES = Duration.ofMillis(500);
  private static final int DAYS = 40;
  private static final int EVENTS_PER_DAY = 500;
  private static final int FILES_BEFORE = 40;

  @TempDir private Path directory;

  private final Map<String, Instant> landed = new LinkedHashMap<>();
  private TestPipeline pipeline;

  @Test
  void aRebuildHoldsTheLiveStreamUpByLittle() throws Exception {
    pipeline =
        TestPipeline.in(directory, yaml -> yaml.withMaxAge("90d").with("health", "{max-lag: 60s}"));
    pipeline.land(Events.file("history", history()));
    pipeline.stream();
    ChildJvm stream = ChildJvm.start(pipeline, List.of(), "stream", "--trigger", "1s");
    try {
      for (int i = 0; i < 10; i++) {
        land();
      }
      awaitCounted();
      List<String> before = new ArrayList<>();
      for (int i = 0; i < FILES_BEFORE; i++) {
        before.add(land());
      }
      Files.writeString(pipeline.file(), FortyDays.changed(pipeline).text());
      ChildJvm rebuild = ChildJvm.startGently(pipeline, "rebuild");
      List<String> during = new ArrayList<>();
      while (rebuild.process().isAlive()) {
        during.add(land());
      }
      assertThat(rebuild.exitCode()).as(rebuild.said()).isZero();
      awaitCounted();
      stream.terminate();
      assertThat(stream.exitCode()).as(stream.said()).isZero();

      Map<String, Duration> lags = lags();
      Duration usual = percentile95(before.stream().map(lags::get).toList());
      Duration meanwhile = percentile95(during.stream().map(lags::get).toList());
      assertThat(during).hasSizeGreaterThan(10);
      assertThat(meanwhile)
          .as(
              "before %s, during %s, in %d and %d files",
              usual, meanwhile, before.size(), during.size())
          .isLessThanOrEqualTo(usual.multipliedBy(3).dividedBy(2));
      assertThat(lags.values()).allSatisfy(lag -> assertThat(lag).isLessThan(MAX_LAG));
    } finally {
      stream.process().destroyForcibly();
    }
  }

  private static List<Event> history() {
    return IntStream.range(0, DAYS * EVENTS_PER_DAY)
        .mapToObj(
            i ->
                Events.at(
                    "h-" + i,
                    "key-" + i % 500,
                    TwoNights.NOON.plus(Duration.ofDays(i % DAYS)).plusSeconds(i % 3_600)))
        .toList();
  }

  /** Lands a file of one event, later than all before, and gives its name. */
  private String land() throws Exception {
    String name = "live-%04d".formatted(landed.size());
    Instant happened = TwoNights.NOON.plus(Duration.ofDays(DAYS)).plusSeconds(landed.size());
    pipeline.land(Events.file(name, Events.at(name, "live", happened)));
    landed.put(name, Instant.now());
    LockSupport.parkNanos(BETWEEN_FILES.toNanos());
    return name;
  }

  private void awaitCounted() {
    Await.until(
        "all is counted",
        () -> {
          LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
          return lags().size() == landed.size();
        });
  }

  /** From landing to the progress step that counts it, of each file that is counted. */
  private Map<String, Duration> lags() {
    NavigableMap<Long, Instant> published = new TreeMap<>();
    for (Row step :
        pipeline
            .read(pipeline.tables().progress())
            .filter("archive_version IS NOT NULL")
            .groupBy("archive_version")
            .agg(min("published_at"))
            .collectAsList()) {
      published.put(step.getLong(0), step.getTimestamp(1).toInstant());
    }
    Map<String, Duration> lags = new HashMap<>();
    for (Row file : archived()) {
      Collection<Instant> since = published.tailMap(file.getLong(1), true).values();
      Instant landing = landed.get(file.getString(0));
      if (landing != null && !since.isEmpty()) {
        lags.put(
            file.getString(0),
            Duration.between(landing, since.stream().min(Instant::compareTo).orElseThrow()));
      }
    }
    return lags;
  }

  private List<Row> archived() {
    return pipeline
        .format()
        .readWithCommitVersions(
            pipeline.tables().archive(), pipeline.format().version(pipeline.tables().archive()))
        .filter("event.key = 'live'")
        .select(col("event.id"), col(TableFormat.COMMIT_VERSION))
        .collectAsList();
  }

  private static Duration percentile95(List<Duration> lags) {
    List<Duration> sorted = lags.stream().sorted().toList();
    return sorted.get((int) Math.ceil(0.95 * sorted.size()) - 1);
  }
}
