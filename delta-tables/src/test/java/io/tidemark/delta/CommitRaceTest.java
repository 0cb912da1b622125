package io.tidemark.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.delta.storage.LocalLogStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two drivers on one local table: what our commit rule promises, and what Delta's own does not. */
@Timeout(120)
class CommitRaceTest {

  private static final int VERSIONS = 400;
  private static final Duration LONGEST_SEARCH = Duration.ofSeconds(60);

  @TempDir Path directory;

  @Test
  void hardLinksGiveEachVersionToOneOfTwoProcesses() throws Exception {
    CommitRace.Outcome outcome =
        new CommitRace(HardLinkLogStore.class, directory.resolve("log"), VERSIONS).run();

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
      CommitRace race =
          new CommitRace(LocalLogStore.class, directory.resolve("log-" + round), VERSIONS / 4);
      if (!race.run().claimedTwice().isEmpty()) {
        return;
      }
    }
    abort("Inconclusive: two processes never met on one version in " + LONGEST_SEARCH);
  }

  private static Set<Integer> versions() {
    return IntStream.range(0, VERSIONS).boxed().collect(Collectors.toCollection(TreeSet::new));
  }
}
