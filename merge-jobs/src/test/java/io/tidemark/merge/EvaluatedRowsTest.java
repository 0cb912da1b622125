package io.tidemark.merge;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.time.PartitionUnit;
import java.time.Instant;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class EvaluatedRowsTest {

  private static final AtomicInteger EVALUATIONS = new AtomicInteger();

  private final SparkSession spark = Session.shared();

  /** Windows of ten minutes with these starts, in March 2026. */
  private Dataset<Row> windows(String... starts) {
    String values =
        Arrays.stream(starts)
            .map(start -> "(TIMESTAMP'2026-03-" + start + "Z')")
            .collect(Collectors.joining(", "));
    return spark.sql(
        """
        SELECT
          window_start,
          window_start + INTERVAL '10' MINUTE AS window_end,
          to_date(window_start + INTERVAL '599.999999' SECOND) AS window_date,
          date_trunc('HOUR', window_start + INTERVAL '599.999999' SECOND) AS window_hour
        FROM VALUES %s AS t(window_start)"""
            .formatted(values));
  }

  private static MergeScope scope(PartitionUnit unit, String first, String last, String... starts) {
    return new MergeScope(
        unit,
        Arrays.stream(starts).map(Instant::parse).collect(Collectors.toCollection(TreeSet::new)),
        Instant.parse(first),
        Instant.parse(last));
  }

  @Test
  void theScopeOfOneDayIsThatDay() {
    try (EvaluatedRows rows =
        EvaluatedRows.of(windows("01 10:00:00", "01 23:50:00"), PartitionUnit.DAY)) {
      assertThat(rows.size()).isEqualTo(2);
      assertThat(rows.scope())
          .contains(
              scope(
                  PartitionUnit.DAY,
                  "2026-03-01T10:00:00Z",
                  "2026-03-01T23:50:00Z",
                  "2026-03-01T00:00:00Z"));
    }
  }

  @Test
  void theScopeOfAWindowAcrossMidnightIsTheDayInWhichItEnds() {
    try (EvaluatedRows rows = EvaluatedRows.of(windows("01 23:55:00"), PartitionUnit.DAY)) {
      assertThat(rows.scope())
          .contains(
              scope(
                  PartitionUnit.DAY,
                  "2026-03-01T23:55:00Z",
                  "2026-03-01T23:55:00Z",
                  "2026-03-02T00:00:00Z"));
    }
  }

  @Test
  void theScopeLeavesOutDaysBetweenThatHaveNoRow() {
    try (EvaluatedRows rows =
        EvaluatedRows.of(windows("01 10:00:00", "03 10:00:00", "07 10:00:00"), PartitionUnit.DAY)) {
      assertThat(rows.scope())
          .contains(
              scope(
                  PartitionUnit.DAY,
                  "2026-03-01T10:00:00Z",
                  "2026-03-07T10:00:00Z",
                  "2026-03-01T00:00:00Z",
                  "2026-03-03T00:00:00Z",
                  "2026-03-07T00:00:00Z"));
    }
  }

  @Test
  void theScopeByHourNamesHours() {
    try (EvaluatedRows rows =
        EvaluatedRows.of(
            windows("01 09:50:00", "01 10:00:00", "01 12:00:00"), PartitionUnit.HOUR)) {
      assertThat(rows.scope())
          .contains(
              scope(
                  PartitionUnit.HOUR,
                  "2026-03-01T09:50:00Z",
                  "2026-03-01T12:00:00Z",
                  "2026-03-01T09:00:00Z",
                  "2026-03-01T10:00:00Z",
                  "2026-03-01T12:00:00Z"));
    }
  }

  @Test
  void withoutARowThereIsNoScopeAndEveryNumberIsZero() {
    try (EvaluatedRows rows =
        EvaluatedRows.of(
            windows("01 10:00:00").limit(0),
            PartitionUnit.DAY,
            sum(lit(1)).as("ones"),
            max(lit(7)).as("sevens"))) {
      assertThat(rows.size()).isZero();
      assertThat(rows.scope()).isEmpty();
      assertThat(rows.number("ones")).isZero();
      assertThat(rows.number("sevens")).isZero();
      assertThat(rows.rows().count()).isZero();
    }
  }

  @Test
  void moreNumbersAreObservedInTheSamePass() {
    try (EvaluatedRows rows =
        EvaluatedRows.of(
            windows("01 10:00:00", "01 10:10:00", "01 10:20:00"),
            PartitionUnit.DAY,
            sum(when(col("window_start").gt(lit(Instant.parse("2026-03-01T10:05:00Z"))), 1))
                .as("later"))) {
      assertThat(rows.number("later")).isEqualTo(2);
    }
  }

  @Test
  void rowsAreEvaluatedOnceHoweverOftenTheyAreRead() {
    EVALUATIONS.set(0);
    try (EvaluatedRows rows = EvaluatedRows.of(counted(), PartitionUnit.DAY)) {
      assertThat(rows.scope()).isPresent();
      assertThat(rows.rows().count()).isEqualTo(3);
      assertThat(rows.rows().agg(max("number")).head().getLong(0)).isEqualTo(2);
      assertThat(rows.rows().filter("number > 0").count()).isEqualTo(2);
    }
    assertThat(EVALUATIONS).hasValue(3);
  }

  private Dataset<Row> counted() {
    UDF1<Long, Long> counting =
        number -> {
          EVALUATIONS.incrementAndGet();
          return number;
        };
    spark.udf().register("counting", counting, DataTypes.LongType);
    return spark
        .range(0, 3, 1, 1)
        .selectExpr(
            "counting(id) AS number",
            "TIMESTAMP'2026-03-01 10:00:00Z' AS window_start",
            "TIMESTAMP'2026-03-01 10:10:00Z' AS window_end",
            "DATE'2026-03-01' AS window_date");
  }

  @Test
  void closingReleasesWhatTheRowsTake() {
    int before = spark.sparkContext().getPersistentRDDs().size();
    EvaluatedRows rows = EvaluatedRows.of(windows("01 10:00:00"), PartitionUnit.DAY);
    assertThat(spark.sparkContext().getPersistentRDDs().size()).isEqualTo(before + 1);

    rows.close();

    assertThat(spark.sparkContext().getPersistentRDDs().size()).isEqualTo(before);
  }

  @Test
  void rowsAreReleasedWhereTheirUseFails() {
    int before = spark.sparkContext().getPersistentRDDs().size();

    assertThatThrownBy(
            () -> {
              try (EvaluatedRows rows =
                  EvaluatedRows.of(windows("01 10:00:00"), PartitionUnit.DAY)) {
                rows.rows().selectExpr("no_such_column");
              }
            })
        .hasMessageContaining("no_such_column");

    assertThat(spark.sparkContext().getPersistentRDDs().size()).isEqualTo(before);
  }

  @Test
  void rowsThatCannotBeEvaluatedThrowTheirError() {
    assertThatThrownBy(
            () ->
                EvaluatedRows.of(
                    windows("01 10:00:00")
                        .withColumn("bad", col("window_date").isNull())
                        .filter("raise_error('no such luck') IS NULL"),
                    PartitionUnit.DAY))
        .hasStackTraceContaining("no such luck");
  }
}
