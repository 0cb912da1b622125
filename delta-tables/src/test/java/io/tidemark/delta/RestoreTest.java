package io.tidemark.delta;

import static io.tidemark.tables.ColumnDefinition.required;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.TableDefinition;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.TestSession;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Why nothing is ever undone by RESTORE: it brings the rows back, but the labels stay used. */
@Tag("spark")
class RestoreTest {

  private static final TableDefinition NUMBERS =
      new TableDefinition(
          "Numbers.",
          List.of(required("id", DataTypes.LongType, "Which")),
          Optional.empty(),
          new TreeMap<>(),
          Set.of());

  @TempDir Path directory;

  static Stream<CommitLabel> labels() {
    return Stream.of(
        CommitLabel.ofSeveralWriters("stream", 1, "{}"), CommitLabel.ofOneWriter("stream", 1));
  }

  @ParameterizedTest
  @MethodSource("labels")
  void afterARestoreABatchThatIsRepeatedIsSkippedAndItsRowsAreLost(CommitLabel label) {
    SparkSession spark = TestSession.with(DeltaSession.settings());
    TablePath table = new TablePath(directory.resolve("numbers").toString());
    DeltaTableFormat format = new DeltaTableFormat(spark);
    format.create(table, NUMBERS);
    format.append(table, spark.range(3).toDF(), label);

    spark.sql("RESTORE TABLE " + format.relation(table) + " TO VERSION AS OF 0");
    new DeltaTableFormat(spark).append(table, spark.range(3).toDF(), label);

    assertThat(format.read(table).count()).isZero();
  }
}
