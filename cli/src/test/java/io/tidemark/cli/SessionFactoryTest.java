package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class SessionFactoryTest {

  @Test
  void everySessionCommitsByTheSafeRuleAndKeepsItsStateOutOfTheHeap() {
    assertThat(SessionFactory.defaults("yarn"))
        .containsEntry("spark.master", "yarn")
        .containsEntry("spark.delta.logStore.file.impl", "io.tidemark.delta.HardLinkLogStore")
        .containsEntry(
            "spark.sql.streaming.stateStore.providerClass",
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider");
  }

  @Test
  void onlyALocalSessionIsMadeForOneMachine() {
    assertThat(SessionFactory.defaults("yarn"))
        .doesNotContainKeys(
            "spark.sql.shuffle.partitions",
            "spark.ui.enabled",
            "spark.driver.host",
            "spark.databricks.delta.snapshotPartitions");
    assertThat(SessionFactory.defaults("local[4]"))
        .containsEntry(
            "spark.sql.shuffle.partitions",
            Integer.toString(Runtime.getRuntime().availableProcessors()))
        .containsEntry("spark.ui.enabled", "false")
        .containsEntry("spark.databricks.delta.snapshotPartitions", "1");
  }

  @Test
  void aSecretIsHandedOverToTheContextAndNotToTheBuilder() {
    String secret = "spark.hadoop.fs.s3a.secret.key";
    Map<String, String> settings = Map.of(secret, "s", "spark.other", "o");

    assertThat(SessionFactory.withSecrets(settings, SparkConf::new).contains(secret)).isTrue();
    assertThat(SessionFactory.withSecrets(settings, SparkConf::new).contains("spark.other"))
        .isFalse();
    assertThat(new SparkConf().contains(secret)).isFalse();
  }
}
