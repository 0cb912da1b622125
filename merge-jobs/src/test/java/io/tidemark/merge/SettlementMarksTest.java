package io.tidemark.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.delta.DeltaTableFormat;
import io.tidemark.merge.SettlementMarks.Adopted;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.TableDefinitions;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.VersionRange;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a table of Delta. Version 0 of it is its creation. */
@Tag("spark")
class SettlementMarksTest {

  private final SparkSession spark = Session.shared();
  private final TableFormat format = new DeltaTableFormat(spark);

  /** Commits that were looked through, in order. */
  private final List<VersionRange> read = new ArrayList<>();

  @TempDir Path directory;
  private TablePath aggregates;
  private SettlementMarks marks;

  @BeforeEach
  void create() {
    aggregates = new TablePath(directory.resolve("aggregates").toString());
    format.create(aggregates, TableDefinitions.aggregates(Pipelines.clicksByAd()));
    marks = new SettlementMarks(noting(), aggregates);
  }

  /** The format, with a note of which commits are looked through. */
  private TableFormat noting() {
    return (TableFormat)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {TableFormat.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("newest")) {
                read.add((VersionRange) arguments[1]);
              }
              return invoke(method, arguments);
            });
  }

  private Object invoke(Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(format, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static SettlementMark mark(long settlement) {
    return new SettlementMark(
        settlement,
        "attempt-" + settlement,
        12,
        Optional.empty(),
        Instant.parse("2026-03-02T00:00:00Z"),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        AuditResult.CLEAN);
  }

  private void settle(long settlement) {
    commit(
        CommitLabel.ofSeveralWriters(
            SettlementMark.APPLICATION, settlement, mark(settlement).toJson()));
  }

  private void estimate(long batch) {
    commit(CommitLabel.ofSeveralWriters("stream/estimates", batch, "{}"));
  }

  private void commit(CommitLabel label) {
    format.append(aggregates, format.read(aggregates).limit(0), label);
  }

  @Test
  void aTableWithoutASettlementHasNoneAndItsCommitsAreReadOnce() {
    estimate(0);

    assertThat(marks.newest()).isEmpty();
    assertThat(marks.newest()).isEmpty();
    assertThat(read).containsExactly(new VersionRange(-1, 1));
  }

  @Test
  void theNewestSettlementIsFoundAmongOtherCommits() {
    estimate(0);
    settle(1);
    settle(2);
    estimate(1);

    assertThat(marks.newest()).contains(new Adopted(mark(2), 3));
  }

  @Test
  void eachCommitIsReadOnce() {
    settle(1);
    estimate(0);
    assertThat(marks.newest()).contains(new Adopted(mark(1), 1));
    assertThat(marks.newest()).contains(new Adopted(mark(1), 1));
    estimate(1);
    assertThat(marks.newest()).contains(new Adopted(mark(1), 1));
    settle(2);
    assertThat(marks.newest()).contains(new Adopted(mark(2), 4));

    assertThat(read)
        .containsExactly(new VersionRange(-1, 2), new VersionRange(2, 3), new VersionRange(3, 4));
  }

  @Test
  void aStreamThatBeganBeforeTheFirstSettlementSeesIt() {
    estimate(0);
    assertThat(marks.newest()).isEmpty();
    settle(1);

    assertThat(marks.newest()).contains(new Adopted(mark(1), 2));
    assertThat(read).containsExactly(new VersionRange(-1, 1), new VersionRange(1, 2));
  }

  @Test
  void aSettlementAfterTheVersionAskedForIsNotSeen() {
    estimate(0);
    settle(1);
    estimate(1);

    assertThat(marks.newestAt(1)).isEmpty();
    assertThat(marks.newestAt(3)).contains(new Adopted(mark(1), 2));
  }

  @Test
  void aSecondSettlementAfterTheVersionAskedForHidesNotTheFirst() {
    settle(1);
    estimate(0);
    settle(2);

    assertThat(marks.newestAt(2)).contains(new Adopted(mark(1), 1));
  }

  @Test
  void aSettlementWhoseCommitHasBeenRemovedIsRefused() throws Exception {
    spark.sql(
        "ALTER TABLE "
            + format.relation(aggregates)
            + " SET TBLPROPERTIES ('delta.checkpointInterval' = '2')");
    settle(1);
    estimate(0);
    estimate(1);
    for (long version = 0; version <= 2; version++) {
      Files.delete(Path.of(aggregates.value(), "_delta_log", "%020d.json".formatted(version)));
    }

    assertThatThrownBy(() -> marks.newest())
        .isInstanceOf(UnsafeEnvironmentException.class)
        .hasMessage(
            "Cannot find the newest commit of 'settle' to "
                + aggregates
                + ": the table's log no longer holds it, because nothing of it was written for"
                + " longer than the log is kept. Ingest again into a new warehouse path.");
  }

  @Test
  void aTableThatNeverWasSettledMayLoseItsOldCommits() throws Exception {
    spark.sql(
        "ALTER TABLE "
            + format.relation(aggregates)
            + " SET TBLPROPERTIES ('delta.checkpointInterval' = '2')");
    estimate(0);
    estimate(1);
    estimate(2);
    for (long version = 0; version <= 2; version++) {
      Files.delete(Path.of(aggregates.value(), "_delta_log", "%020d.json".formatted(version)));
    }

    assertThat(marks.newest()).isEmpty();
  }
}
