package io.tidemark.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.PipelineName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that say where things lie, and refuse to be wrong. */
class PathRefusalsTest {

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "/data/", "s3a://bucket/", "/"})
  void aWarehouseRootWithoutAnUnambiguousEndIsRefused(String root) {
    assertThatThrownBy(() -> new Warehouse(root))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("warehouse root '%s' is blank or ends with '/'", root);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "/data/`/archive"})
  void aTablePathThatSqlCannotQuoteIsRefused(String path) {
    assertThatThrownBy(() -> new TablePath(path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "table path '%s' is blank or holds a backtick: choose another warehouse path", path);
  }

  @Test
  void generationsCountFromOne() {
    assertThat(Generation.FIRST.name()).isEqualTo("g1");
    assertThat(new Generation(12)).hasToString("g12");
    assertThatThrownBy(() -> new Generation(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("generation number is below 1: 0");
  }

  @Test
  void aVersionRangeRunsForward() {
    assertThat(new VersionRange(3, 3).isEmpty()).isTrue();
    assertThat(new VersionRange(-1, 0).isEmpty()).isFalse();
    assertThatThrownBy(() -> new VersionRange(4, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("version range ends before it begins: 4 to 3");
  }

  @Test
  void aCommitIsNamedByItsWriterAndANumber() {
    assertThatThrownBy(() -> CommitLabel.ofOneWriter(" ", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("application is blank");
    assertThatThrownBy(() -> CommitLabel.ofSeveralWriters("settle", -1, "{}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("version is negative: -1");
  }

  @Test
  void everyTableAndCheckpointHasItsPlace() {
    PipelineTables tables =
        new Warehouse("/data/warehouse").of(new PipelineName("ad_clicks"), new Generation(2));

    assertThat(tables.root()).isEqualTo("/data/warehouse/ad_clicks");
    assertThat(tables.archive()).hasToString("/data/warehouse/ad_clicks/archive");
    assertThat(tables.generations()).hasToString("/data/warehouse/ad_clicks/generations");
    assertThat(tables.aggregates()).hasToString("/data/warehouse/ad_clicks/g2/aggregates");
    assertThat(tables.progress()).hasToString("/data/warehouse/ad_clicks/g2/progress");
    assertThat(tables.settlements()).hasToString("/data/warehouse/ad_clicks/g2/settlements");
    assertThat(tables.corrections()).hasToString("/data/warehouse/ad_clicks/g2/corrections");
    assertThat(tables.runs()).isEqualTo("/data/warehouse/ad_clicks/runs");
    assertThat(tables.ingestCheckpoint())
        .isEqualTo("/data/warehouse/ad_clicks/_checkpoints/archive");
    assertThat(tables.aggregateCheckpoint()).isEqualTo("/data/warehouse/ad_clicks/_checkpoints/g2");
  }
}
