package io.tidemark.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class CanaryViewsTest {

  private final SparkSession spark = TestSession.with(Map.of());

  private long usersWith(int percent) {
    return spark
        .range(10_000)
        .filter(CanaryViews.condition(Clicks.daily(), percent, "concat('user-', id)"))
        .count();
  }

  @Test
  void theShareOfUsersIsAboutWhatWasAskedFor() {
    assertThat(usersWith(10)).isBetween(900L, 1100L);
    assertThat(usersWith(50)).isBetween(4800L, 5200L);
    assertThat(usersWith(99)).isBetween(9850L, 9950L);
  }

  @Test
  void whoSeesItWithAShareSeesItWithALargerOne() {
    String few = CanaryViews.condition(Clicks.daily(), 10, "concat('user-', id)");
    String more = CanaryViews.condition(Clicks.daily(), 20, "concat('user-', id)");

    assertThat(spark.range(10_000).filter(few).filter("NOT (" + more + ")").count()).isZero();
  }
}
