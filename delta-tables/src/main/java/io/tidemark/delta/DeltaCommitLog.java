package io.tidemark.delta;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.tables.Backlog;
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
   * What was found of an application's commits.
   *
   * @param complete whether all commits that were to be looked at are there still
   */
  record LabelledCommits(Optional<LabelledCommit> newest, boolean complete) {}

  /** The newest commit of the application in the range. */
  LabelledCommits newest(VersionRange commits, String application) {
    for (long version = commits.through(); version > commits.after(); version--) {
      Optional<CommitFacts> facts = read(version);
      if (facts.isEmpty()) {
        return new LabelledCommits(Optional.empty(), false);
      }
      Optional<LabelledCommit> labelled =
          LabelJson.read(facts.get().userMetadata(), application, version);
      if (labelled.isPresent()) {
        return new LabelledCommits(labelled, true);
      }
    }
    return new LabelledCommits(Optional.empty(), true);
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
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        // Actions on files are many and long; they need no parsing.
        if (line.startsWith("{\"commitInfo\"")) {
          return Optional.of(new CommitFacts(JSON.readTree(line).path("commitInfo")));
        }
      }
      return Optional.of(new CommitFacts(JSON.createObjectNode()));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the commit " + file, e);
    }
  }

  /** Of one commit: its action {@code commitInfo}. */
  private record CommitFacts(JsonNode information) {

    String userMetadata() {
      return information.path("userMetadata").asText();
    }

    long rowsWritten() {
      return information.path("operationMetrics").path("numOutputRows").asLong();
    }

    Instant timestamp() {
      return Instant.ofEpochMilli(information.path("timestamp").asLong());
    }
  }
}
