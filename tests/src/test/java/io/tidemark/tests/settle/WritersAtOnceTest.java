package io.tidemark.tests.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.delta.tables.DeltaTable;
import io.tidemark.reconcile.SettleJob;
import io.tidemark.reconcile.SettleOutcome;
import io.tidemark.reconcile.SettleRequest;
import io.tidemark.reconcile.maintain.MaintainOutcome;
import io.tidemark.reconcile.maintain.TableUpkeep.CompactionResult;
import io.tidemark.tests.harness.AlwaysOn;
import io.tidemark.tests.harness.Await;
import io.tidemark.tests.harness.ChildJvm;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.InterruptingLogStore;
import io.tidemark.tests.harness.LedgerRow;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.Group;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two settlements at once, of threads and of processes; stream and maintenance beside them. */
@Tag("spark")
class WritersAtOnceTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant NEXT_NOON = NOON.plus(Duration.ofDays(1));

  @TempDir Path directory;

  @Test
  void nothingIsLostAndNoNumberIsUsedTwice() throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try (AlwaysOn stream = pipeline.alwaysOn()) {
      stream.arrive(Events.file("a", Events.at("e-1", "A", NOON), Events.at("e-2", "B", NOON)));
      stream.arrive(Events.file("b", Events.at("e-3", "A", NEXT_NOON)));
      stream.arrive(Events.file("late", Events.at("late", "A", NOON)));

      Future<SettleOutcome> first = threads.submit(() -> settle(pipeline));
      Future<SettleOutcome> second = threads.submit(() -> settle(pipeline));
      Future<?> compaction = threads.submit(() -> compact(pipeline));
      for (int i = 0; i < 3; i++) {
        stream.arrive(
            Events.file("open-" + i, Events.at("o-" + i, "A", NEXT_NOON.plusSeconds(60L * i))));
      }

      assertThat(List.of(first.get(), second.get()))
          .as("one adopts; the other finds nothing left")
          .anyMatch(SettleOutcome.Adopted.class::isInstance)
          .anyMatch(SettleOutcome.Nothing.class::isInstance);
      compaction.get();
    } finally {
      threads.shutdown();
    }

    assertThat(pipeline.ledger()).extracting(LedgerRow::settlement).containsExactly(1L);
    assertThat(pipeline.verify().differing()).isZero();
    assertThat(pipeline.measures().get(new Group(NOON, "A")).eventCount()).isEqualTo(2);
    assertThat(
            IntStream.range(0, 3)
                .mapToLong(
                    i ->
                        pipeline
                            .measures()
                            .get(new Group(NEXT_NOON.plusSeconds(60L * i), "A"))
                            .eventCount()))
        .as("of the stream, beside it")
        .containsExactly(2L, 1L, 1L);
  }

  @Test
  void ofTwoProcessesTheOneThatComesLateFindsNothingLeft() throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml);
    pipeline.land(
        Events.file(
            "a",
            Events.at("e-1", "A", NOON),
            Events.at("e-2", "B", NOON),
            Events.at("e-3", "A", NEXT_NOON)));
    pipeline.stream();
    pipeline.land(Events.file("late", Events.at("late", "A", NOON)));
    pipeline.stream();
    Path release = directory.resolve("release");
    ChildJvm late =
        ChildJvm.start(pipeline, InterruptingLogStore.waitAt("aggregates", release), "settle");
    Await.until(
        "it has recounted and is about to commit",
        () -> Files.exists(InterruptingLogStore.waiting(release)) || !late.process().isAlive());

    ChildJvm first = ChildJvm.start(pipeline, List.of(), "settle");
    assertThat(first.exitCode()).as(first.said()).isZero();
    assertThat(first.said()).contains("Settlement 1 adopted");
    Files.createFile(release);

    assertThat(late.exitCode()).as(late.said()).isZero();
    assertThat(late.said()).contains("Nothing to settle");
    assertThat(pipeline.ledger()).extracting(LedgerRow::settlement).containsExactly(1L);
    assertThat(pipeline.view("_corrections").count())
        .as("of the adopted attempt only")
        .isEqualTo(1);
    assertThat(pipeline.measures().get(new Group(NOON, "A")).eventCount()).isEqualTo(2);
    assertThat(pipeline.verify().differing()).isZero();
  }

  /** The settlement's dirty pairs lie in the day that is compacted: one of the two gives way. */
  @Test
  void maintenanceStopsNeitherStreamNorSettlement() throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (AlwaysOn stream = pipeline.alwaysOn()) {
      stream.arrive(
          Events.file(
              "a",
              IntStream.range(0, 5).mapToObj(i -> Events.at("e-" + i, "K" + i, NOON)).toList()));
      stream.arrive(Events.file("b", Events.at("next", "A", NEXT_NOON)));
      assertThat(settle(pipeline)).isInstanceOf(SettleOutcome.Adopted.class);
      pipeline.scatter(LocalDate.parse("2026-03-01"), 5);
      stream.arrive(Events.file("late", Events.at("late", "K0", NOON)));

      Future<SettleOutcome> settlement = threads.submit(() -> settle(pipeline));
      Future<MaintainOutcome> maintenance =
          threads.submit(() -> pipeline.maintainJob().run(Duration.ofDays(2), Optional.empty()));
      stream.arrive(Events.file("open", Events.at("open", "A", NEXT_NOON)));

      assertThat(settlement.get()).isInstanceOf(SettleOutcome.Adopted.class);
      CompactionResult aggregates = maintenance.get().upkeep().tables().get(1).compaction();
      assertThat(aggregates.partitions() + aggregates.leftForNextRun().size()).isLessThan(2);
    } finally {
      threads.shutdown();
    }

    assertThat(pipeline.verify().differing()).isZero();
    assertThat(pipeline.measures().get(new Group(NOON, "K0")).eventCount()).isEqualTo(2);
    assertThat(pipeline.measures().get(new Group(NEXT_NOON, "A")).eventCount()).isEqualTo(2);
  }

  /** Where a settlement commits first, the compaction gives way; it is no loss. */
  private static void compact(TestPipeline pipeline) {
    try {
      DeltaTable.forPath(pipeline.spark(), pipeline.tables().aggregates().value())
          .optimize()
          .executeCompaction();
    } catch (ConcurrentModificationException tooLate) {
      assertThat(tooLate).hasMessageContaining("concurrent");
    }
  }

  private static SettleOutcome settle(TestPipeline pipeline) {
    return new SettleJob(
            pipeline.spark(),
            pipeline.spec(),
            pipeline.tables(),
            pipeline.format(),
            TestPipeline.CLOCK,
            () -> UUID.randomUUID().toString())
        .run(new SettleRequest.BehindFrontier(Optional.empty()));
  }
}
