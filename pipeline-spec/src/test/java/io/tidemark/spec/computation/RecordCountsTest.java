package io.tidemark.spec.computation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.PipelineText;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class RecordCountsTest {

  private static final Dataset<Row> ARCHIVE =
      Click.archive(
          Click.at("10:00:00", "passes").costing(2),
          Click.at("10:00:00", "copy of it").costing(2),
          Click.at("10:00:00", "fails").costing(1),
          Click.at("10:00:00", "neither").withoutCost(),
          Click.at("10:00:00", "passes but bad").costing(2).with(RecordProblem.TOO_OLD),
          Click.at("10:00:00", "fails and bad").costing(1).with(RecordProblem.MALFORMED));

  @Test
  void everyRecordHasOneFate() {
    assertThat(RecordCounts.of(ARCHIVE, filteredBy("cost > 1")))
        .isEqualTo(new RecordCounts(6, 2, 2, 2));
  }

  @Test
  void aFilterThatFailsIsNotTrue() {
    assertThat(RecordCounts.of(ARCHIVE, filteredBy("1 / (cost - 1) > 0")))
        .isEqualTo(new RecordCounts(6, 2, 2, 2));
  }

  @Test
  void withoutAFilterAllGoodRecordsAreConsidered() {
    assertThat(RecordCounts.of(ARCHIVE, PipelineText.good().spec()))
        .isEqualTo(new RecordCounts(6, 2, 0, 4));
  }

  @Test
  void anEmptyArchiveHasNone() {
    assertThat(RecordCounts.of(Click.archive(), filteredBy("cost > 1")))
        .isEqualTo(new RecordCounts(0, 0, 0, 0));
  }

  private static PipelineSpec filteredBy(String filter) {
    return PipelineText.good().with("filter", filter).spec();
  }
}
