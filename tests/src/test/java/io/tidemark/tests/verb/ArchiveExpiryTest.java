package io.tidemark.tests.verb;

import static io.tidemark.tests.harness.TwoNights.DAY;
import static io.tidemark.tests.harness.TwoNights.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.reconcile.ExplainRequest;
import io.tidemark.reconcile.SettleOutcome;
import io.tidemark.reconcile.SettleRequest;
import io.tidemark.reconcile.VerifyJob.Verification;
import io.tidemark.spec.error.DataRefusedException;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.TablePath;
import io.tidemark.tests.harness.AlwaysOn;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.ShownRow;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.oracle.Event;
import io.tidemark.tests.oracle.Group;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A pipeline of a week, of which the archive keeps two settled days. Events may be an hour old when
 * they arrive; what comes late here says that it was not. Windows overlap.
 */
@Tag("spark")
class ArchiveExpiryTest {

  private static final LocalDate FOURTH = LocalDate.parse("2026-03-04");
  private static final Instant FOURTH_DAY = Instant.parse("2026-03-04T00:00:00Z");

  @TempDir Path directory;

  private TestPipeline pipeline;

  private static Instant noon(int day) {
    return NOON.plus(DAY.multipliedBy(day - 1));
  }

  private static Event event(int day, String id) {
    return Events.at(id, "A", noon(day));
  }

  private static Event onDay(int day) {
    return event(day, "day-" + day);
  }

  private JsonNode maintain(int exitCode) throws Exception {
    return pipeline.answer(exitCode, "maintain", "--keep-archive", "2d");
  }

  private void settle() {
    assertThat(pipeline.settle()).isInstanceOf(SettleOutcome.Adopted.class);
  }

  @Test
  void oldDaysGoAndWhatWasSettledOfThemStays() throws Exception {
    pipeline =
        TestPipeline.in(
            directory,
            yaml -> yaml.withMaxAge("1h").with("window", "{hopping: {size: 2m, slide: 1m}}"));
    try (AlwaysOn stream = pipeline.alwaysOn()) {
      stream.arrive(
          Events.file(
              "days",
              Stream.concat(
                      IntStream.rangeClosed(1, 5).mapToObj(ArchiveExpiryTest::onDay),
                      Stream.of(Events.at("edge", "edge", FOURTH_DAY.minusSeconds(30))))
                  .toList()));
      settle();
      stream.arrive(Events.file("a", event(1, "late"), onDay(6)));
      settle();
      stream.arrive(Events.file("b", event(4, "later"), onDay(7)));
      settle();
      Map<Group, ShownRow> shown = pipeline.shown();

      JsonNode expired = maintain(0).get("expired");

      assertThat(expired.get("kept_from").asText())
          .as("two settled days, and the one that undoing the last settlement would change")
          .isEqualTo("2026-03-04");
      assertThat(expired.get("days").asLong()).isEqualTo(3);
      assertThat(expired.get("files").get("files").asLong()).isEqualTo(4);
      assertThat(archivedBefore(FOURTH)).isZero();
      assertThat(pipeline.shown()).isEqualTo(shown);

      // The stream goes on over the deletion.
      stream.arrive(Events.file("c", event(7, "more"), event(3, "too-late")));
      assertThat(counted(7)).isEqualTo(2);
    }
    SettleOutcome nothing = pipeline.settle();
    assertThat(((SettleOutcome.Nothing) nothing).why())
        .endsWith(
            "Of frozen windows came 2 memberships, which no settlement counts: the archive is kept from 2026-03-04 on");
    assertThat(maintain(0).get("expired").get("days").asLong())
        .as("what has come for a frozen day goes with the next day")
        .isZero();
    verifyRecountsTheRest();
    undoingGoesAsFarAsTheArchive();
    settledAgainADayKeepsItsFrozenRows();
    frozenWindowsAreSpokenOf();
    // The newest settlement's version of the archive consists of other files than are left.
    TablePath archive = pipeline.tables().archive();
    pipeline.format().files(archive).forEach(day -> pipeline.format().compact(archive, day));
    pipeline.format().vacuum(archive, Duration.ZERO);
    verifyRecountsTheRest();
    assertThat(pipeline.answer(5, "verify", "--as-of-settlement", "3").get("error").asText())
        .startsWith("Cannot read what a version of a table consists of: the file is older than");
  }

  private void undoingGoesAsFarAsTheArchive() {
    pipeline.unsettle("a test");
    assertThatThrownBy(() -> pipeline.unsettle("one too many"))
        .isInstanceOf(UnsafeEnvironmentException.class)
        .hasMessageContaining("Cannot undo settlement 2 of events")
        .hasMessageContaining("windows that start before 2026-03-04");
    settle();
    assertThat(
            pipeline
                .read(pipeline.tables().settlements())
                .filter("settlement = 5 AND frozen = 2")
                .count())
        .as("too-late is counted as such, in each of its windows")
        .isEqualTo(1);
    assertThat(counted(1)).as("one of its day, and late").isEqualTo(2);
    assertThat(counted(3)).as("not too-late").isEqualTo(1);
    assertThat(counted(4)).as("one of its day, and later").isEqualTo(2);
  }

  /**
   * Of the window that begins on the third day and ends on the fourth, so lies in its partition.
   */
  private void settledAgainADayKeepsItsFrozenRows() {
    Group edge = new Group(FOURTH_DAY.minusSeconds(60), "edge");
    ShownRow before = pipeline.shown().get(edge);
    assertThat(
            pipeline.settle(
                new SettleRequest.Again(FOURTH_DAY, FOURTH_DAY.plus(DAY), "a hand has slipped")))
        .isInstanceOf(SettleOutcome.Adopted.class);
    assertThat(pipeline.shown().get(edge)).isEqualTo(before);
    assertThat(before.measures().eventCount()).isEqualTo(1);
  }

  private void frozenWindowsAreSpokenOf() throws Exception {
    assertThat(pipeline.statusAfter(Duration.ZERO).archiveKeptFrom()).contains(FOURTH);
    assertThat(
            pipeline
                .explainJob()
                .run(new ExplainRequest(noon(2), Map.of("key", Optional.of("A")), 9))
                .frozen())
        .contains(new KeptArchive(Optional.of(FOURTH), false));
    assertThat(pipeline.answer(2, "verify", "--both-modes", "2026-03-03").get("error").asText())
        .contains("the archive is kept from 2026-03-04 on");
    Path history =
        Events.file("history", event(2, "history"))
            .landIn(Files.createDirectories(directory.resolve("old")));
    assertThatThrownBy(() -> pipeline.importFrom(history))
        .isInstanceOf(DataRefusedException.class)
        .hasMessageStartingWith(
            "Cannot import: 1 of the records happened before 2026-03-04T00:01:00Z,");
  }

  private void verifyRecountsTheRest() {
    Verification verified = pipeline.verify();
    assertThat(verified.kept().from()).contains(FOURTH);
    assertThat(verified.count("agreed")).as("two windows of each of days 4, 5 and 6").isEqualTo(6);
    assertThat(verified.differing()).isZero();
    assertThat(verified.balance().unexplained()).as(verified.balance() + "").isZero();
  }

  private long counted(int day) {
    return pipeline.measures().get(new Group(noon(day), "A")).eventCount();
  }

  private long archivedBefore(LocalDate day) {
    return pipeline
        .read(pipeline.tables().archive())
        .filter("event_date < DATE'" + day + "'")
        .count();
  }
}
