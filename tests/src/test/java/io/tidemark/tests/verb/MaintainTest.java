package io.tidemark.tests.verb;

import static io.tidemark.tests.harness.TwoNights.DAY;
import static io.tidemark.tests.harness.TwoNights.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.reconcile.SettleOutcome;
import io.tidemark.reconcile.SettlePlan.Step;
import io.tidemark.reconcile.maintain.MaintainOutcome;
import io.tidemark.reconcile.maintain.TableUpkeep;
import io.tidemark.reconcile.maintain.TableUpkeep.CompactionResult;
import io.tidemark.tables.FileTotal;
import io.tidemark.tables.TablePath;
import io.tidemark.tests.harness.Ageing;
import io.tidemark.tests.harness.AlwaysOn;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.ShownRow;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.Group;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pipeline that is maintained, ages by three days, and is maintained again. */
@Tag("spark")
class MaintainTest {

  private static final Duration TWO_DAYS = Duration.ofDays(2);

  @TempDir Path directory;

  private TestPipeline pipeline;

  @Test
  void filesBecomeFewAndOldOnesGoAndNoNumberChanges() throws Exception {
    pipeline = TestPipeline.in(directory, yaml -> yaml);
    try (AlwaysOn stream = pipeline.alwaysOn()) {
      for (int i = 0; i < 5; i++) {
        stream.arrive(Events.file("a-" + i, Events.at("e-" + i, "K" + i, NOON)));
      }
      stream.arrive(Events.file("b", Events.at("next", "A", NOON.plus(DAY))));
      assertThat(pipeline.settle()).isInstanceOf(SettleOutcome.Adopted.class);
      pipeline.scatter(LocalDate.parse("2026-03-01"), 5);
      // For the next settlement, which finds it in a commit whose file is compacted meanwhile.
      stream.arrive(Events.file("c", Events.at("late", "K0", NOON)));
      Map<Group, ShownRow> shown = pipeline.shown();

      assertThat(chosen(pipeline.maintainJob().dryRun(TWO_DAYS, Optional.empty())))
          .as("and not done")
          .isEqualTo(Map.of("archive", 1L, "aggregates", 1L, "progress", 1L));
      MaintainOutcome outcome = pipeline.maintainJob().run(TWO_DAYS, Optional.empty());

      assertThat(chosen(outcome))
          .isEqualTo(Map.of("archive", 1L, "aggregates", 1L, "progress", 1L));
      assertThat(result(outcome, "archive")).isEqualTo(new CompactionResult(1, 6, 1, List.of()));
      assertThat(result(outcome, "aggregates")).isEqualTo(new CompactionResult(1, 5, 1, List.of()));
      assertThat(outcome.upkeep().tables())
          .as("all of it is younger than the history")
          .allMatch(table -> table.removed().equals(FileTotal.NONE));
      assertThat(pipeline.shown()).isEqualTo(shown);
      assertThat(pipeline.verify().differing()).isZero();
      List<Long> versions = versions();
      assertThat(chosen(pipeline.maintainJob().run(TWO_DAYS, Optional.empty())))
          .as("a second run")
          .isEmpty();
      assertThat(versions()).isEqualTo(versions);

      // The stream goes on over the compacted archive, and counts each event once.
      stream.arrive(Events.file("d", Events.at("one-more", "A", NOON.plus(DAY))));
      assertThat(pipeline.measures().get(new Group(NOON.plus(DAY), "A")).eventCount()).isEqualTo(2);
    }
    List<Step> steps = ((SettleOutcome.Adopted) pipeline.settle()).plan().steps();
    assertThat(steps)
        .singleElement()
        .isInstanceOfSatisfying(
            Step.DirtyPairs.class,
            pairs -> {
              assertThat(pairs.pairs().values()).containsExactly(1L);
              assertThat(pairs.wholeArchiveBecause()).isEmpty();
            });
    assertThat(pipeline.measures().get(new Group(NOON, "K0")).eventCount()).isEqualTo(2);

    Ageing.by(Duration.ofDays(3), Path.of(pipeline.warehouse()));
    Path log = Path.of(pipeline.tables().archive().value(), "_delta_log");
    Path unfinished = Files.createFile(log.resolve(".7.json.x.tmp"));
    Path leftByACrash = Files.createFile(log.resolve(".6.json.x.tmp"));
    Files.setLastModifiedTime(leftByACrash, FileTime.from(Instant.now().minus(TWO_DAYS.plus(DAY))));
    pipeline.land(Events.file("e", Events.at("unread", "A", NOON.plus(DAY.multipliedBy(2)))));
    pipeline.ingest();
    List<Path> before = files();
    assertThat(verb(2, "2d").get("error").asText())
        .contains("history of 2d", "version", "committed 3d ago, and 1 records wait")
        .contains("settlement 1, to which 'tidemark unsettle' goes back,")
        .contains("--keep-history 4d. Nothing was changed.");
    assertThat(verb(2, "1d").get("error").asText()).contains("a rewind reaches up to 25h back");
    assertThat(files()).as("a refusal deletes nothing").isEqualTo(before);

    pipeline.aggregate();
    assertThat(pipeline.settle()).isInstanceOf(SettleOutcome.Adopted.class);
    pipeline.land(Events.file("f", Events.at("later", "K1", NOON)));
    pipeline.stream();
    assertThat(pipeline.settle()).isInstanceOf(SettleOutcome.Adopted.class);
    Map<Group, ShownRow> shown = pipeline.shown();

    JsonNode done = verb(0, "2d");

    assertThat(removed(done, "archive")).as("six were joined three days ago").isEqualTo(7);
    assertThat(removed(done, "aggregates")).isGreaterThanOrEqualTo(5);
    assertThat(removed(done, "progress")).isGreaterThanOrEqualTo(5);
    assertThat(leftByACrash).doesNotExist();
    assertThat(unfinished).as("younger than the history").exists();
    assertThat(pipeline.shown()).isEqualTo(shown);
    assertThat(pipeline.verify().differing()).isZero();
    pipeline.land(Events.file("g", Events.at("last", "A", NOON.plus(DAY.multipliedBy(2)))));
    pipeline.stream();
    assertThat(pipeline.unsettle("a test").orElseThrow().below().orElseThrow().settlement())
        .isEqualTo(3);
    assertThat(pipeline.settle()).isInstanceOf(SettleOutcome.Adopted.class);
    assertThat(pipeline.verify().differing()).isZero();
    assertThat(pipeline.measures().get(new Group(NOON, "K1")).eventCount()).isEqualTo(2);
    assertThat(pipeline.measures().get(new Group(NOON.plus(DAY.multipliedBy(2)), "A")).eventCount())
        .isEqualTo(2);
  }

  private static Map<String, Long> chosen(MaintainOutcome outcome) {
    return outcome.upkeep().tables().stream()
        .filter(table -> table.compaction().partitions() > 0)
        .collect(Collectors.toMap(TableUpkeep::table, table -> table.compaction().partitions()));
  }

  private static CompactionResult result(MaintainOutcome outcome, String table) {
    return outcome.upkeep().tables().stream()
        .filter(upkeep -> upkeep.table().equals(table))
        .findFirst()
        .orElseThrow()
        .compaction();
  }

  private List<Long> versions() {
    return Stream.of(
            pipeline.tables().archive(),
            pipeline.tables().aggregates(),
            pipeline.tables().progress(),
            pipeline.tables().settlements(),
            pipeline.tables().corrections(),
            pipeline.tables().generations())
        .map((TablePath table) -> pipeline.format().version(table))
        .toList();
  }

  private List<Path> files() throws Exception {
    try (Stream<Path> all = Files.walk(Path.of(pipeline.warehouse()))) {
      return all.filter(file -> !file.toString().contains("/runs")).sorted().toList();
    }
  }

  private JsonNode verb(int exitCode, String keepHistory) throws Exception {
    return pipeline.answer(exitCode, "maintain", "--keep-history", keepHistory);
  }

  private static long removed(JsonNode answer, String table) {
    for (JsonNode one : answer.get("tables")) {
      if (one.get("table").asText().equals(table)) {
        return one.get("removed").get("files").asLong();
      }
    }
    throw new AssertionError("no table " + table + " in " + answer);
  }
}
