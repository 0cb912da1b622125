package io.tidemark.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.delta.DeltaCommitLog.Additions;
import io.tidemark.delta.DeltaCommitLog.LabelledCommits;
import io.tidemark.tables.Backlog;
import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.LabelledCommit;
import io.tidemark.tables.VersionRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On commits written by hand, as Delta's protocol has them. */
class DeltaCommitLogTest {

  private static final VersionRange ALL = new VersionRange(-1, 4);

  @TempDir Path table;
  private Path log;
  private DeltaCommitLog commits;

  @BeforeEach
  void write() throws IOException {
    log = Files.createDirectory(table.resolve("_delta_log"));
    commits =
        new DeltaCommitLog(
            new org.apache.hadoop.fs.Path(table.toString(), "_delta_log"),
            new Configuration(false));
    commit(
        0,
        information("2026-03-01T10:00:00Z", "CREATE TABLE", "{}", ""),
        "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}",
        "{\"metaData\":{\"id\":\"6c1f\"}}");
    commit(
        1,
        information(
            "2026-03-01T10:01:00Z",
            "WRITE",
            "{\"numOutputRows\":\"5\"}",
            label(CommitLabel.ofOneWriter("stream/estimates", 0))),
        "{\"add\":{\"path\":\"a.parquet\",\"stats\":\"{\\\"numRecords\\\":5}\"}}");
    commit(
        2,
        "{\"txn\":{\"appId\":\"settle\",\"version\":1,\"lastUpdated\":1}}",
        information(
            "2026-03-01T10:02:00Z",
            "MERGE",
            "{\"numOutputRows\":\"7\"}",
            label(CommitLabel.ofSeveralWriters("settle", 1, "{\"settlement\":1}"))));
    commit(
        3,
        information(
            "2026-03-01T10:03:00Z", "OPTIMIZE", "{\"numRemovedFiles\":\"2\"}", "another tool's"),
        "{\"add\":{\"path\":\"commitInfo\",\"stats\":\"{\\\"application\\\":\\\"settle\\\"}\"}}");
    commit(
        4,
        information(
            "2026-03-01T10:04:00Z",
            "WRITE",
            "{\"numOutputRows\":\"2\"}",
            label(CommitLabel.ofOneWriter("stream/estimates", 1))));
  }

  private static String label(CommitLabel label) {
    return new LabelJson(label).text();
  }

  private void commit(long version, String... actions) throws IOException {
    Files.writeString(file(version), String.join("\n", actions) + "\n");
  }

  private Path file(long version) {
    return log.resolve("%020d.json".formatted(version));
  }

  private static String information(
      String at, String operation, String metrics, String userMetadata) {
    return "{\"commitInfo\":{\"timestamp\":%d,\"operation\":\"%s\",\"operationMetrics\":%s,\"userMetadata\":\"%s\"}}"
        .formatted(
            Instant.parse(at).toEpochMilli(),
            operation,
            metrics,
            userMetadata.replace("\\", "\\\\").replace("\"", "\\\""));
  }

  private static LabelledCommits found(long tableVersion, long version, String message) {
    return new LabelledCommits(
        Optional.of(new LabelledCommit(tableVersion, version, message)), true);
  }

  private static final LabelledCommits NONE = new LabelledCommits(Optional.empty(), true);
  private static final LabelledCommits UNKNOWN = new LabelledCommits(Optional.empty(), false);

  @Test
  void theNewestCommitOfTheApplicationIsFoundWithItsMessage() {
    assertThat(commits.newest(ALL, "settle")).isEqualTo(found(2, 1, "{\"settlement\":1}"));
    assertThat(commits.newest(ALL, "stream/estimates")).isEqualTo(found(4, 1, "{}"));
    assertThat(commits.newest(new VersionRange(-1, 3), "stream/estimates"))
        .isEqualTo(found(1, 0, "{}"));
    assertThat(commits.newest(ALL, "nobody")).isEqualTo(NONE);
  }

  @Test
  void onlyTheRangeIsLookedThrough() {
    assertThat(commits.newest(new VersionRange(2, 4), "settle")).isEqualTo(NONE);
    assertThat(commits.newest(new VersionRange(-1, 1), "settle")).isEqualTo(NONE);
    assertThat(commits.newest(new VersionRange(2, 2), "settle")).isEqualTo(NONE);
  }

  @Test
  void beyondACommitThatWasCleanedUpNothingIsKnown() throws IOException {
    Files.delete(file(2));

    assertThat(commits.newest(ALL, "settle")).isEqualTo(UNKNOWN);
    assertThat(commits.newest(new VersionRange(-1, 2), "stream/estimates")).isEqualTo(UNKNOWN);
    assertThat(commits.newest(new VersionRange(-1, 1), "stream/estimates"))
        .isEqualTo(found(1, 0, "{}"));
  }

  @Test
  void theBacklogIsTheSumOfRowsSinceTheOldestCommitThatWroteSome() {
    assertThat(commits.backlog(ALL))
        .isEqualTo(new Backlog(14, Optional.of(Instant.parse("2026-03-01T10:01:00Z"))));
    assertThat(commits.backlog(new VersionRange(2, 4)))
        .as("a compaction adds no row")
        .isEqualTo(new Backlog(2, Optional.of(Instant.parse("2026-03-01T10:04:00Z"))));
    assertThat(commits.backlog(new VersionRange(2, 3))).isEqualTo(new Backlog(0, Optional.empty()));
    assertThat(commits.backlog(new VersionRange(4, 4))).isEqualTo(new Backlog(0, Optional.empty()));
  }

  @Test
  void theBacklogEndsWhereCommitsWereCleanedUp() throws IOException {
    Files.delete(file(1));

    assertThat(commits.backlog(ALL))
        .isEqualTo(new Backlog(9, Optional.of(Instant.parse("2026-03-01T10:02:00Z"))));
  }

  @Test
  void aMomentFallsOnTheNewestCommitThatItHadSeen() {
    assertThat(newestAt("2026-03-01T09:59:59Z")).isEmpty();
    assertThat(newestAt("2026-03-01T10:00:00Z")).contains(0L);
    assertThat(newestAt("2026-03-01T10:02:59Z")).contains(2L);
    assertThat(newestAt("2026-03-01T10:04:00Z")).contains(4L);
    assertThat(newestAt("2026-03-02T00:00:00Z")).contains(4L);
    assertThat(commits.time(3)).contains(Instant.parse("2026-03-01T10:03:00Z"));
  }

  @Test
  void aMomentBeforeTheLogWasCleanedUpIsUnknown() throws IOException {
    Files.delete(file(0));
    Files.delete(file(1));

    assertThat(newestAt("2026-03-01T10:01:30Z")).isEmpty();
    assertThat(newestAt("2026-03-01T10:02:30Z")).contains(2L);
    assertThat(commits.time(1)).isEmpty();
  }

  private Optional<Long> newestAt(String instant) {
    return commits.newestAt(Instant.parse(instant), 4);
  }

  @Test
  void commitsWhoseFilesAreThereAreReadable() {
    assertThat(commits.additions(ALL)).isEqualTo(new Additions(List.of(ALL), Optional.empty()));
    assertThat(commits.additions(new VersionRange(4, 4)))
        .isEqualTo(new Additions(List.of(), Optional.empty()));
  }

  @Test
  void commitsThatTheLogNoLongerHoldsAreNot() throws IOException {
    Files.delete(file(0));

    assertThat(commits.additions(ALL).unreadable()).contains("its log no longer holds version 0");
    assertThat(commits.additions(new VersionRange(0, 4)).unreadable()).isEmpty();
  }

  @Test
  void commitsWhoseFilesWereReplacedAndRemovedAreNot() throws IOException {
    commit(5, "{\"remove\":{\"path\":\"a.parquet\",\"dataChange\":false}}");

    assertThat(commits.additions(new VersionRange(0, 5)).unreadable())
        .contains(
            "files that it added have been replaced or deleted and vacuumed since (a.parquet)");
    assertThat(commits.additions(new VersionRange(1, 5)).unreadable())
        .as("added before them")
        .isEmpty();
    Files.createFile(log.getParent().resolve("a.parquet"));
    assertThat(commits.additions(new VersionRange(0, 5)))
        .as("replaced only")
        .isEqualTo(new Additions(List.of(new VersionRange(0, 5)), Optional.empty()));
  }

  @Test
  void commitsThatOnlyDeletedAreLeftOut() throws IOException {
    String delete = "{\"remove\":{\"path\":\"%s.parquet\",\"dataChange\":true}}";
    commit(5, delete.formatted("old"), delete.formatted("older"));
    commit(6, information("2026-03-01T10:06:00Z", "WRITE", "{}", ""), "{\"add\":{\"path\":\"b\"}}");
    commit(7, delete.formatted("c"));

    assertThat(commits.additions(new VersionRange(0, 7)).commits())
        .containsExactly(new VersionRange(0, 4), new VersionRange(5, 6));
    assertThat(commits.additions(new VersionRange(4, 5)).commits()).isEmpty();
    commit(8, delete.formatted("b"), "{\"add\":{\"path\":\"d\",\"dataChange\":true}}");
    assertThat(commits.additions(new VersionRange(7, 8)).unreadable())
        .contains("its version 8 changed rows");
  }
}
