package io.tidemark.delta;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.tables.Backlog;
import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.LabelledCommit;
import io.tidemark.tables.VersionRange;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Reads what a Delta table's commits say of themselves, straight from the log's JSON files (<a
 * href="https://github.com/delta-io/delta/blob/master/PROTOCOL.md">Delta's protocol</a>), without a
 * Spark job. Cost: one small file per commit.
 */
record DeltaCommitLog(Path directory, Configuration hadoop) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The newest commit of the application in the range; commits that were cleaned up are not seen.
   */
  Optional<LabelledCommit> newest(VersionRange commits, String application) {
    for (long version = commits.through(); version > commits.after(); version--) {
      Optional<CommitFacts> facts = read(version);
      if (facts.isEmpty()) {
        return Optional.empty();
      }
      Optional<CommitLabel> label = facts.get().label(application);
      if (label.isPresent()) {
        return Optional.of(new LabelledCommit(version, label.get()));
      }
    }
    return Optional.empty();
  }

  Backlog backlog(VersionRange commits) {
    long rows = 0;
    Optional<Instant> oldest = Optional.empty();
    for (long version = commits.through(); version > commits.after(); version--) {
      Optional<CommitFacts> facts = read(version);
      if (facts.isEmpty()) {
        break;
      }
      rows += facts.get().rowsWritten();
      if (facts.get().rowsWritten() > 0) {
        oldest = Optional.of(facts.get().timestamp());
      }
    }
    return new Backlog(rows, oldest);
  }

  private Optional<CommitFacts> read(long version) {
    Path file = new Path(directory, "%020d.json".formatted(version));
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(file.getFileSystem(hadoop).open(file), StandardCharsets.UTF_8))) {
      CommitFacts facts = CommitFacts.NONE;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        // Actions on files are many and long; they need no parsing.
        if (line.startsWith("{\"commitInfo\"") || line.startsWith("{\"txn\"")) {
          facts = facts.with(JSON.readTree(line));
        }
      }
      return Optional.of(facts);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the commit " + file, e);
    }
  }

  /** Of one commit: its information, and its transaction identifier. */
  private record CommitFacts(JsonNode information, JsonNode transaction) {

    static final CommitFacts NONE =
        new CommitFacts(JSON.createObjectNode(), JSON.createObjectNode());

    CommitFacts with(JsonNode action) {
      return new CommitFacts(
          action.has("commitInfo") ? action.get("commitInfo") : information,
          action.has("txn") ? action.get("txn") : transaction);
    }

    Optional<CommitLabel> label(String application) {
      if (!transaction.path("appId").asText().equals(application)) {
        return Optional.empty();
      }
      return Optional.of(
          new CommitLabel(
              application,
              transaction.path("version").asLong(),
              information.path("userMetadata").asText()));
    }

    long rowsWritten() {
      return information.path("operationMetrics").path("numOutputRows").asLong();
    }

    Instant timestamp() {
      return Instant.ofEpochMilli(information.path("timestamp").asLong());
    }
  }
}
