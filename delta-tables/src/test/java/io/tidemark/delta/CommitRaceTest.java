package io.tidemark.delta;

import static org.junit.jupiter.api.Assumptions.abort;

import io.delta.storage.LocalLogStore;
import io.delta.storage.LogStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two drivers on one local table: what our commit rule promises, and what Delta's own does not. */
@Timeout(120)
class CommitRaceTest {

  private static final int VERSIONS = 400;
  private static final Duration LONGEST_SEARCH = Duration.ofSeconds(60);

  @TempDir java.nio.file.Path directory;

  @Test
  void hardLinksGiveEachVersionToOneOfTwoProcesses() throws Exception {
    CommitRace.Outcome outcome = race(HardLinkLogStore.class, "log", VERSIONS).run();

    outcome.requireEachVersionToBeOnes(VERSIONS);
  }

  @Test
  void stockLogStoreGivesOneVersionToTwoProcesses() throws Exception {
    Instant deadline = Instant.now().plus(LONGEST_SEARCH);
    for (int round = 1; Instant.now().isBefore(deadline); round++) {
      CommitRace race = race(LocalLogStore.class, "log-" + round, VERSIONS / 4);
      if (!race.run().claimedTwice().isEmpty()) {
        return;
      }
    }
    abort("Inconclusive: two processes never met on one version in " + LONGEST_SEARCH);
  }

  private CommitRace race(Class<? extends LogStore> logStore, String log, int versions) {
    return new CommitRace(logStore, new Path(directory.resolve(log).toUri()), versions, Map.of());
  }
}
