package io.tidemark.tests.property;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.Source;
import io.tidemark.spec.computation.Aggregation;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.computation.ArchiveRows;
import io.tidemark.spec.computation.MeasureColumns;
import io.tidemark.spec.computation.Memberships;
import io.tidemark.spec.computation.StreamBounds;
import io.tidemark.tests.harness.PipelineYaml;
import io.tidemark.tests.harness.ShownRow;
import io.tidemark.tests.harness.TestSpark;
import io.tidemark.tests.oracle.ArrivalBatch;
import io.tidemark.tests.oracle.Group;
import io.tidemark.tests.oracle.Oracle;
import io.tidemark.tests.oracle.Problem;
import io.tidemark.tests.oracle.SourceRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The one computation, in batch mode, gives what the oracle gives, for 64 seeds with every oddity:
 * exact rows, each window and key once, and every record accounted for.
 */
@Tag("spark")
class RecountPropertyTest {

  private static final int BATCHES = 4;
  private static final int RECORDS_PER_BATCH = 60;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(Shape.class)
  void recountIsTheOraclesAnswer(Shape shape) throws IOException {
    Map<Long, List<SourceRecord>> records = landed(Seeds.between(1, 64));
    PipelineSpec spec = shape.yaml(PipelineYaml.reading(directory)).spec();
    Dataset<Row> archive =
        ArchiveRows.of(
            TestSpark.session().read().text(directory + "/*"),
            spec.event(),
            (Source.Files) spec.source());

    Map<Group, io.tidemark.tests.oracle.Row> rows = recount(archive, spec);

    assertSoftly(
        softly ->
            records.forEach(
                (seed, its) ->
                    softly
                        .assertThat(Seeds.of(seed, rows))
                        .as(Seeds.replay(seed))
                        .isEqualTo(new Oracle(shape.rules()).answer(its).rows())));
    assertThat(problems(archive))
        .isEqualTo(problems(records.values().stream().flatMap(List::stream).toList()));
  }

  private Map<Long, List<SourceRecord>> landed(List<Long> seeds) throws IOException {
    Map<Long, List<SourceRecord>> records = new TreeMap<>();
    for (long seed : seeds) {
      Path landing = Files.createDirectories(directory.resolve("seed-" + seed));
      List<SourceRecord> its = new ArrayList<>();
      for (ArrivalBatch batch :
          Seeds.batches(seed, Seeds.traffic(seed, BATCHES, RECORDS_PER_BATCH))) {
        batch.landIn(landing);
        its.addAll(batch.records());
      }
      records.put(seed, its);
    }
    return records;
  }

  private static Map<Group, io.tidemark.tests.oracle.Row> recount(
      Dataset<Row> archive, PipelineSpec spec) {
    Dataset<Row> rows =
        Aggregation.ofMemberships(
            Memberships.of(archive, spec), spec, StreamBounds.none(archive.sparkSession()));
    Stream<Column> measures =
        spec.measures().stream()
            .map(measure -> expr(MeasureColumns.shown(measure)).as(measure.name().value()));
    Column[] shown =
        Stream.concat(
                Stream.of(
                    col("window_start"),
                    col(spec.keys().get(0).name().quoted()).as("key"),
                    col("event_count")),
                measures)
            .toArray(Column[]::new);
    return rows.select(shown).collectAsList().stream()
        .collect(Collectors.toMap(ShownRow::group, ShownRow::measures));
  }

  private static Map<String, Long> problems(Dataset<Row> archive) {
    return archive
        .filter(col(ArchiveColumns.PROBLEM).isNotNull())
        .groupBy(ArchiveColumns.PROBLEM)
        .agg(count(lit(1)))
        .collectAsList()
        .stream()
        .collect(Collectors.toMap(row -> row.getString(0), row -> row.getLong(1)));
  }

  private static Map<String, Long> problems(List<SourceRecord> records) {
    return records.stream()
        .flatMap(record -> Problem.of(record, Seeds.LIMITS).stream())
        .collect(Collectors.groupingBy(Problem::text, Collectors.counting()));
  }
}
