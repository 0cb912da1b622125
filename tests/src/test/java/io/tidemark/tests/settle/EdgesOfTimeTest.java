package io.tidemark.tests.settle;

import static io.tidemark.tests.harness.TwoNights.DAY;
import static io.tidemark.tests.harness.TwoNights.NOON;
import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.LedgerRow;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.Group;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Windows that the stream never counts, is closed over, or is long done with. */
@Tag("spark")
class EdgesOfTimeTest {

  /** Spark's watermark starts at 1970: a window that ends by then is closed from the start. */
  private static final Instant BEFORE_1970 = Instant.parse("1969-12-31T23:59:30Z");

  private static final Instant LONG_AFTER = NOON.plus(DAY.multipliedBy(40));

  @TempDir Path directory;

  private TestPipeline pipeline;

  @Test
  void everyEventIsExplainedAndFinalRowsThatChangeAreTold() throws Exception {
    pipeline = TestPipeline.in(directory, yaml -> yaml);
    pipeline.land(
        Events.file("a", Events.at("old", "A", BEFORE_1970), Events.at("e-1", "A", NOON)));
    pipeline.stream();
    pipeline.land(Events.file("b", Events.at("not read", "A", NOON.plusSeconds(300))));
    pipeline.ingest();

    pipeline.close();

    LedgerRow first = pipeline.ledger().get(0);
    assertThat(first.events()).isEqualTo(new LedgerRow.Events(3, 3, 0, 1, 2, 0));
    assertThat(first.events().residual()).isZero();
    assertThat(statuses())
        .as("the frontier has not gone past the age of the last")
        .isEqualTo(Map.of("final", 1L, "settled", 2L));

    pipeline.land(Events.file("c", Events.at("e-2", "A", LONG_AFTER)));
    pipeline.stream();
    pipeline.settle();

    assertThat(finalChanged()).isZero();
    assertThat(statuses()).isEqualTo(Map.of("final", 3L, "open", 1L));

    pipeline.land(Events.file("d", Events.at("came with its old times", "A", NOON)));
    pipeline.stream();
    pipeline.settle();

    assertThat(pipeline.measures().get(new Group(NOON, "A")).eventCount()).isEqualTo(2);
    assertThat(finalChanged()).isEqualTo(1);
    assertThat(pipeline.ledger().stream().mapToLong(row -> row.events().residual()))
        .containsOnly(0L);
  }

  private long finalChanged() {
    return pipeline
        .read(pipeline.tables().settlements())
        .orderBy(col("settlement").desc())
        .head()
        .getAs("final_changed");
  }

  /** As the status counts them, which must be what the view shows. */
  private Map<String, Long> statuses() {
    Map<String, Long> shown = new TreeMap<>();
    for (Row row : pipeline.view("").groupBy("status").count().collectAsList()) {
      shown.put(row.getString(0), row.getLong(1));
    }
    Map<String, Long> counted = new TreeMap<>(pipeline.statusAfter(Duration.ZERO).rowsByStatus());
    counted.values().removeIf(rows -> rows == 0);
    assertThat(counted).isEqualTo(shown);
    return shown;
  }
}
