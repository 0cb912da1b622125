package io.tidemark.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tables.TablePath;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommitRuleTest {

  private static final Configuration HADOOP = new Configuration(false);

  private final SparkConf conf = new SparkConf(false);

  @ParameterizedTest
  @ValueSource(strings = {"/data/clicks", "file:/data/clicks", "file:///data/clicks"})
  void localFilesAreSafeUnderOurRule(String path) {
    conf.set("spark.delta.logStore.file.impl", "io.tidemark.delta.HardLinkLogStore");

    assertThat(CommitRule.unsafe(new TablePath(path), conf, HADOOP)).isEmpty();
  }

  @Test
  void localFilesAreUnsafeUnderDeltasOwnRule() {
    assertThat(CommitRule.unsafe(new TablePath("/data/clicks"), conf, HADOOP))
        .contains(
            "commits to local files go through Delta's own log store, under which two processes"
                + " lose each other's commits. Set"
                + " spark.delta.logStore.file.impl=io.tidemark.delta.HardLinkLogStore before the"
                + " Spark context starts.");
  }

  @Test
  void localFilesAreUnsafeUnderAnyOtherRule() {
    conf.set("spark.delta.logStore.file.impl", "io.delta.storage.LocalLogStore");

    assertThat(CommitRule.unsafe(new TablePath("/data/clicks"), conf, HADOOP))
        .contains(
            "commits to local files go through io.delta.storage.LocalLogStore log store, under"
                + " which two processes lose each other's commits. Set"
                + " spark.delta.logStore.file.impl=io.tidemark.delta.HardLinkLogStore before the"
                + " Spark context starts.");
  }

  @ParameterizedTest
  @CsvSource({"s3://bucket/clicks, s3", "hdfs://host/clicks, hdfs"})
  void elsewhereNoRuleIsTested(String path, String scheme) {
    conf.set("spark.delta.logStore.file.impl", "io.tidemark.delta.HardLinkLogStore");

    assertThat(CommitRule.unsafe(new TablePath(path), conf, HADOOP))
        .contains(
            "this release has no lock and no tested commit rule for '"
                + scheme
                + ":'. Use a warehouse on local files or on s3a.");
  }

  @Test
  void s3IsUnsafeUnderDeltasOwnRule() {
    assertThat(CommitRule.unsafe(new TablePath("s3a://bucket/clicks"), conf, HADOOP))
        .contains(
            "commits to S3 go through Delta's own log store, under which two processes lose each"
                + " other's commits. Set"
                + " spark.delta.logStore.s3a.impl=io.tidemark.delta.ConditionalPutLogStore before"
                + " the Spark context starts.");
  }

  @Test
  void aPathThatIsNoUriIsALocalOne() {
    conf.set("spark.delta.logStore.file.impl", "io.tidemark.delta.HardLinkLogStore");

    assertThat(CommitRule.unsafe(new TablePath("/data/my clicks [2026] 100%"), conf, HADOOP))
        .isEmpty();
  }
}
