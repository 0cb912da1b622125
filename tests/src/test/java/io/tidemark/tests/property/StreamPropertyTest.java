package io.tidemark.tests.property;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

import io.tidemark.tests.harness.AlwaysOn;
import io.tidemark.tests.harness.LedgerRow;
import io.tidemark.tests.harness.ShownRow;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.ArrivalBatch;
import io.tidemark.tests.oracle.Balance;
import io.tidemark.tests.oracle.Group;
import io.tidemark.tests.oracle.Identity;
import io.tidemark.tests.oracle.LatenessRule;
import io.tidemark.tests.oracle.Oddity;
import io.tidemark.tests.oracle.Oracle;
import io.tidemark.tests.oracle.SourceRecord;
import io.tidemark.tests.oracle.StreamSimulation;
import io.tidemark.tests.oracle.Traffic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The whole product on generated events, the seeds one after the other through one stream: what it
 * shows before a settlement, what it left out, and what the settlement makes of it.
 */
@Tag("spark")
class StreamPropertyTest {

  private static final Duration DELAY = Duration.ofSeconds(70);
  private static final int BATCHES = 3;
  private static final int RECORDS_PER_BATCH = 60;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(Shape.class)
  void streamLeavesOutWhatCameTooLateAndTheSettlementAdoptsIt(Shape shape) throws Exception {
    List<Long> seeds = Seeds.between(shape.firstSeed(), shape.firstSeed() + 1);
    TestPipeline pipeline = TestPipeline.in(directory, shape::yaml);
    List<List<SourceRecord>> arrivals = new ArrayList<>();
    try (AlwaysOn stream = pipeline.alwaysOn()) {
      for (long seed : seeds) {
        for (ArrivalBatch batch : batches(seed, UnaryOperator.identity())) {
          stream.arrive(batch);
          arrivals.add(batch.records());
        }
      }
    }
    Map<Group, ShownRow> estimated = shown(pipeline);
    Set<Identity> leftOut = leftOut(pipeline);
    pipeline.close();
    Map<Group, ShownRow> settled = shown(pipeline);

    StreamSimulation.Estimate simulated =
        new StreamSimulation(shape.rules(), DELAY, LatenessRule.BY_ALL_EARLIER_BATCHES)
            .estimate(arrivals);
    Oracle.Answer exact = new Oracle(shape.rules()).answer(pipeline.landed());
    assertSoftly(
        softly ->
            seeds.forEach(
                seed -> {
                  softly
                      .assertThat(determined(Seeds.of(seed, measures(estimated)), simulated))
                      .as("estimate, " + Seeds.replay(seed))
                      .isEqualTo(determined(Seeds.of(seed, simulated.rows()), simulated));
                  softly
                      .assertThat(Seeds.of(seed, measures(settled)))
                      .as("settled, " + Seeds.replay(seed))
                      .isEqualTo(Seeds.of(seed, exact.rows()));
                }));
    assertThat(counts(estimated)).isEqualTo(simulatedCounts(simulated));
    assertThat(leftOut).isEqualTo(simulated.leftOut());
    assertThat(settled.values()).extracting(ShownRow::version).containsOnly(1L);
    LedgerRow ledger = pipeline.ledger().get(0);
    assertThat(pipeline.ledger()).hasSize(1);
    assertThat(ledger.records()).isEqualTo(records(exact.balance()));
    assertThat(ledger.events()).isEqualTo(events(exact.balance(), simulated.leftOut().size()));
    assertThat(ledger.events().residual()).isZero();
    assertThat(pipeline.verify().differing()).isZero();
  }

  @Test
  void whereNothingIsLeftOutAndCopiesAreAlikeTheStreamIsExact() throws Exception {
    Shape shape = Shape.TUMBLING;
    TestPipeline pipeline =
        TestPipeline.in(
            directory,
            yaml -> shape.yaml(yaml).with("watermark", "{bound: 31d, allowed-lateness: 0s}"));
    try (AlwaysOn stream = pipeline.alwaysOn()) {
      for (ArrivalBatch batch : batches(201, traffic -> traffic.with(Oddity.UNLIKE_COPY, 0))) {
        stream.arrive(batch);
      }
    }
    Map<Group, ShownRow> estimated = shown(pipeline);
    pipeline.close();

    assertThat(measures(estimated))
        .as(Seeds.replay(201))
        .isEqualTo(new Oracle(shape.rules()).answer(pipeline.landed()).rows());
    assertThat(measures(shown(pipeline))).isEqualTo(measures(estimated));
    assertThat(pipeline.ledger().get(0).rows())
        .isEqualTo(new LedgerRow.Kinds(estimated.size(), 0, 0, 0));
  }

  /** Files of several seeds in one directory: the names begin with the seed. */
  private static List<ArrivalBatch> batches(long seed, UnaryOperator<Traffic> change) {
    Traffic traffic = change.apply(Seeds.traffic(seed, BATCHES, RECORDS_PER_BATCH));
    return Seeds.batches(seed, traffic).stream()
        .map(batch -> renamed("seed-" + seed + "-" + batch.fileName(), batch))
        .toList();
  }

  private static ArrivalBatch renamed(String file, ArrivalBatch batch) {
    return new ArrivalBatch(
        file,
        batch.records().stream()
            .map(record -> new SourceRecord(file, record.line(), record.event()))
            .toList());
  }

  private static Map<Group, ShownRow> shown(TestPipeline pipeline) {
    return pipeline.view("").withColumnRenamed(key(pipeline), "key").collectAsList().stream()
        .collect(Collectors.toMap(ShownRow::group, ShownRow::of));
  }

  private static Set<Identity> leftOut(TestPipeline pipeline) {
    return pipeline
        .view("_late")
        .withColumnRenamed(key(pipeline), "key")
        .selectExpr("window_start", "key", "event_id.id AS id")
        .collectAsList()
        .stream()
        .map(row -> new Identity(ShownRow.group(row), row.getAs("id")))
        .collect(Collectors.toSet());
  }

  private static String key(TestPipeline pipeline) {
    return pipeline.spec().keys().get(0).name().value();
  }

  private static Map<Group, io.tidemark.tests.oracle.Row> measures(Map<Group, ShownRow> rows) {
    return rows.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, row -> row.getValue().measures()));
  }

  private static Map<Group, io.tidemark.tests.oracle.Row> determined(
      Map<Group, io.tidemark.tests.oracle.Row> rows, StreamSimulation.Estimate simulated) {
    return rows.entrySet().stream()
        .filter(row -> !simulated.undetermined().contains(row.getKey()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static Map<Group, Long> counts(Map<Group, ShownRow> rows) {
    return rows.entrySet().stream()
        .collect(
            Collectors.toMap(Map.Entry::getKey, row -> row.getValue().measures().eventCount()));
  }

  private static Map<Group, Long> simulatedCounts(StreamSimulation.Estimate simulated) {
    return simulated.rows().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, row -> row.getValue().eventCount()));
  }

  private static LedgerRow.Records records(Balance balance) {
    return new LedgerRow.Records(
        balance.archived(),
        balance.rejected().values().stream().mapToLong(Long::longValue).sum(),
        balance.filtered(),
        balance.considered());
  }

  private static LedgerRow.Events events(Balance balance, long leftOut) {
    return new LedgerRow.Events(
        balance.memberships(),
        balance.counted(),
        balance.duplicates(),
        balance.counted() - leftOut,
        leftOut,
        0);
  }
}
