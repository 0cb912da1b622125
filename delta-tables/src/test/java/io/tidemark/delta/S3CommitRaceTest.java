package io.tidemark.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.delta.storage.LogStore;
import io.delta.storage.S3SingleDriverLogStore;
import io.tidemark.store.FaultPlan;
import io.tidemark.store.FaultProxy;
import io.tidemark.store.FaultProxy.Fault;
import io.tidemark.store.S3Server;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two drivers on one table on S3, over a network that loses answers. */
@Timeout(180)
class S3CommitRaceTest {

  private static final int VERSIONS = 250;
  private static final String COMMITS = "_delta_log/[0-9]{20}\\.json";
  private static final Duration LONGEST_SEARCH = Duration.ofSeconds(60);

  @TempDir static java.nio.file.Path directory;
  private static S3Server server;

  @BeforeAll
  static void start() throws Exception {
    server = S3Server.start(directory);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void conditionalPutsGiveEachVersionToOneOfTwoProcesses() throws Exception {
    try (FaultProxy proxy = FaultProxy.before(server, FaultPlan.severe(20260301, COMMITS))) {
      CommitRace.Outcome outcome =
          race(ConditionalPutLogStore.class, "ours", VERSIONS, proxy).run();

      System.out.printf(
          "%d versions, %d puts, faults %s%n", VERSIONS, proxy.puts(), proxy.counts());
      outcome.requireEachVersionToBeOnes(VERSIONS);
      assertThat(proxy.counts()).as("faults of every kind").containsOnlyKeys(Fault.values());
      assertThat(proxy.faults()).isGreaterThan(VERSIONS / 4);
    }
  }

  @Test
  void stockLogStoreGivesOneVersionToTwoProcesses() throws Exception {
    FaultPlan slow = FaultPlan.of(1, Map.of(Fault.DELAYED, 0.5), COMMITS);
    try (FaultProxy proxy = FaultProxy.before(server, slow)) {
      Instant deadline = Instant.now().plus(LONGEST_SEARCH);
      for (int round = 1; Instant.now().isBefore(deadline); round++) {
        CommitRace.Outcome outcome =
            race(S3SingleDriverLogStore.class, "stock-" + round, VERSIONS / 5, proxy).run();
        if (!outcome.claimedTwice().isEmpty()) {
          System.out.printf(
              "stock log store: %d of %d versions were claimed by both, so as many commits lost%n",
              outcome.claimedTwice().size(), VERSIONS / 5);
          return;
        }
      }
    }
    abort("Inconclusive: two processes never met on one version in " + LONGEST_SEARCH);
  }

  @Test
  void anActionThatCannotBeMadeLeavesNoCommit() throws IOException {
    Configuration configuration = S3Server.configuration(server.port());
    Path commit = new Path(S3Server.uri("broken/_delta_log/" + CommitRace.fileName(0)));
    Iterator<String> actions =
        List.of("{}", "fails").stream()
            .map(
                action -> {
                  if (action.equals("fails")) {
                    throw new NoSuchElementException("an action that cannot be made");
                  }
                  return action;
                })
            .iterator();

    assertThatThrownBy(
            () ->
                new ConditionalPutLogStore(configuration)
                    .write(commit, actions, false, configuration))
        .isInstanceOf(NoSuchElementException.class);
    assertThat(commit.getFileSystem(configuration).exists(commit)).isFalse();
  }

  private static CommitRace race(
      Class<? extends LogStore> logStore, String table, int versions, FaultProxy proxy) {
    return new CommitRace(
        logStore,
        new Path(S3Server.uri(table + "/_delta_log")),
        versions,
        S3Server.settings(proxy.port()));
  }
}
