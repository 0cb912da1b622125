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
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

  /** When the version was committed; empty: its file has been cleaned up. */
  Optional<Instant> time(long version) {
    return read(version).map(CommitFacts::timestamp);
  }

  /**
   * The newest version that was committed at or before an instant.
   *
   * @param latest the table's latest version
   * @return empty: none was, as far as the log reaches back
   */
  Optional<Long> newestAt(Instant instant, long latest) {
    long before = -1;
    long after = latest + 1;
    while (after - before > 1) {
      long middle = before + (after - before) / 2;
      Optional<Instant> time = time(middle);
      // What has been cleaned up is older than what has not.
      if (time.isEmpty() || !time.get().isAfter(instant)) {
        before = middle;
      } else {
        after = middle;
      }
    }
    return before < 0 || time(before).isEmpty() ? Optional.empty() : Optional.of(before);
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

  /**
   * Commits that added rows.
   *
   * @param commits without those that deleted, whose files would be read for nothing
   * @param unreadable why the rows can't be read from these commits' own files; empty: they can
   */
  record Additions(List<VersionRange> commits, Optional<String> unreadable) {

    private static Additions unreadable(String reason) {
      return new Additions(List.of(), Optional.of(reason));
    }
  }

  /**
   * The commits that added rows. They are unreadable where the log has been cleaned up, where files
   * that were compacted or deleted since have been vacuumed, and where a commit changed rows.
   */
  Additions additions(VersionRange commits) {
    Set<String> added = new HashSet<>();
    List<VersionRange> ranges = new ArrayList<>();
    long after = commits.after();
    for (long version = commits.after() + 1; version <= commits.through(); version++) {
      boolean adds = false;
      boolean deletes = false;
      Path file = file(version);
      try (BufferedReader lines = open(file)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.startsWith("{\"add\"")) {
            adds = true;
            added.add(JSON.readTree(line).path("add").path("path").asText());
          } else if (line.startsWith("{\"remove\"")) {
            JsonNode remove = JSON.readTree(line).path("remove");
            String removed = remove.path("path").asText();
            deletes |= remove.path("dataChange").asBoolean();
            if (added.contains(removed) && !exists(removed)) {
              return Additions.unreadable(
                  "files that it added have been replaced or deleted and vacuumed since ("
                      + removed
                      + ")");
            }
          }
        }
      } catch (FileNotFoundException e) {
        return Additions.unreadable("its log no longer holds version " + version);
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot read the commit " + file, e);
      }
      if (deletes && adds) {
        return Additions.unreadable("its version " + version + " changed rows");
      } else if (deletes) {
        add(after, version - 1, ranges);
        after = version;
      }
    }
    add(after, commits.through(), ranges);
    return new Additions(List.copyOf(ranges), Optional.empty());
  }

  private static void add(long after, long through, List<VersionRange> ranges) {
    if (after < through) {
      ranges.add(new VersionRange(after, through));
    }
  }

  /**
   * @param dataFile as the log names it: relative to the table, or absolute, and encoded as in a
   *     URI
   */
  private boolean exists(String dataFile) throws IOException {
    Path path = new Path(directory.getParent(), new Path(URI.create(dataFile)));
    return path.getFileSystem(hadoop).exists(path);
  }

  private Path file(long version) {
    return new Path(directory, "%020d.json".formatted(version));
  }

  private BufferedReader open(Path file) throws IOException {
    return new BufferedReader(
        new InputStreamReader(file.getFileSystem(hadoop).open(file), StandardCharsets.UTF_8));
  }

  private Optional<CommitFacts> read(long version) {
    Path file = file(version);
    try (BufferedReader lines = open(file)) {
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
