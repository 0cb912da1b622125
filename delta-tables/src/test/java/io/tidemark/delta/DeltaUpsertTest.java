package io.tidemark.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tables.ColumnDefinition;
import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.MergeStatement;
import io.tidemark.tables.TableDefinition;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.TestSession;
import io.tidemark.tables.Upsert;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How files lie after many upserts, which the contract says nothing of. */
@Tag("spark")
class DeltaUpsertTest {

  private static final long MANY = 300_000;

  private final SparkSession spark = TestSession.with(DeltaSession.settings());
  private final TableFormat format = new DeltaTableFormat(spark);
  @TempDir Path directory;

  private void upsert(TablePath table, long from, long to, long batch) {
    Dataset<Row> rows = spark.range(from, to, 1, 1).selectExpr("id", batch + "L AS batch");
    format.upsert(
        table,
        new Upsert(
            to - from,
            new MergeStatement(
                relations -> {
                  throw new AssertionError("no row is protected");
                }),
            "t.id >= %d AND t.id < %d".formatted(from, to),
            List.of("id"),
            "false",
            "id < " + MANY),
        rows,
        CommitLabel.ofOneWriter("stream", batch));
  }

  private List<String> filesOf(TablePath table) {
    return List.of(format.read(table).inputFiles());
  }

  @Test
  void finishedRowsAreCopiedTwiceAndThenLeftAlone() {
    TablePath table = new TablePath(directory.resolve("rows").toString());
    format.create(
        table,
        new TableDefinition(
            "Rows.",
            List.of(
                ColumnDefinition.required("id", DataTypes.LongType, "Which"),
                ColumnDefinition.required("batch", DataTypes.LongType, "The last that wrote it")),
            Optional.empty(),
            new TreeMap<>(),
            Set.of()));
    // Finished and open rows in the same files: the next upsert sees many finished ones, the one
    // after it puts them apart.
    upsert(table, 0, MANY + 10, 1);
    upsert(table, MANY, MANY + 20, 2);
    upsert(table, MANY, MANY + 30, 3);
    List<String> apart = filesOf(table);

    upsert(table, MANY, MANY + 40, 4);

    List<String> stayed = filesOf(table).stream().filter(apart::contains).toList();
    Dataset<Row> untouched =
        spark.read().parquet(stayed.toArray(String[]::new)).selectExpr("count(*)", "max(id)");
    assertThat(untouched.head().toString()).isEqualTo("[%d,%d]".formatted(MANY, MANY - 1));
    assertThat(
            format
                .read(table)
                .selectExpr("count(*)", "count(DISTINCT id)", "count_if(batch = 4)")
                .head()
                .toString())
        .isEqualTo("[%d,%d,40]".formatted(MANY + 40, MANY + 40));
  }
}
