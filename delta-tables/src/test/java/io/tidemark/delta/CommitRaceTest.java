package io.tidemark.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.delta.storage.LocalLogStore;
import io.delta.storage.LogStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

    assertThat(outcome.claimedTwice()).isEmpty();
    Set<Integer> claimed = new TreeSet<>(outcome.claimsOfA());
    claimed.addAll(outcome.claimsOfB());
    assertThat(claimed).containsExactlyElementsOf(versions());
    assertThat(outcome.lines())
        .as("each version's content is the commit of the writer who was told that it is his")
        .containsExactlyElementsOf(
            versions().stream().map(v -> outcome.claimsOfA().contains(v) ? "A" : "B").toList());
    assertThat(outcome.claimsOfA()).as("versions of A: else there was no race").isNotEmpty();
    assertThat(outcome.claimsOfB()).as("versions of B: else there was no race").isNotEmpty();
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

  private static Set<Integer> versions() {
    return IntStream.range(0, VERSIONS).boxed().collect(Collectors.toCollection(TreeSet::new));
  }
}
