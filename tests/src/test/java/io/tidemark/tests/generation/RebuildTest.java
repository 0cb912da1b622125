package io.tidemark.tests.generation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.reconcile.generation.CompareJob;
import io.tidemark.reconcile.generation.CompareRequest;
import io.tidemark.reconcile.generation.Comparison;
import io.tidemark.reconcile.generation.DiskSpace;
import io.tidemark.reconcile.generation.RebuildJob;
import io.tidemark.reconcile.generation.RebuildPlan;
import io.tidemark.reconcile.generation.RebuildRequest;
import io.tidemark.spec.Percentage;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.tables.Generation;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.PipelineSetup;
import io.tidemark.tables.ServedPipeline;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.journal.GenerationJournal;
import io.tidemark.tests.harness.Events;
import io.tidemark.tests.harness.TestPipeline;
import io.tidemark.tests.harness.TwoNights;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can go wrong while a generation is built, and what then holds. */
@Tag("spark")
class RebuildTest {

  private static final Instant NOON = TwoNights.NOON;
  private static final Generation G1 = new Generation(1);
  private static final Generation G2 = new Generation(2);
  private static final DiskSpace ENOUGH = folder -> OptionalLong.of(Long.MAX_VALUE);

  @TempDir private Path directory;

  private static void rebuild(TestPipeline pipeline, RebuildRequest request) {
    RebuildJob job = FortyDays.job(pipeline, ENOUGH, message -> {});
    RebuildPlan plan = job.plan(request).orElseThrow();
    job.begin(plan);
    job.complete(plan, () -> {});
  }

  /** Streams and settles all generations by the changed file. */
  private static void streamAndSettle(TestPipeline pipeline) throws Exception {
    Files.writeString(pipeline.file(), FortyDays.changed(pipeline).text());
    pipeline.answer(0, "stream", "--available-now");
    pipeline.answer(0, "settle");
  }

  private static ServedPipeline open(TestPipeline pipeline) {
    return pipeline.setup(FortyDays.changed(pipeline)).open();
  }

  private static String generations(TestPipeline pipeline) {
    return pipeline.setup(pipeline.yaml()).open().generations().inWords();
  }

  /** The candidate beside the live one, over all windows that are settled in both. */
  private static Comparison compared(TestPipeline pipeline) {
    ServedPipeline open = open(pipeline);
    return new CompareJob(pipeline.spark(), pipeline.format(), TestPipeline.CLOCK)
        .run(
            open.live(),
            open.candidate().orElseThrow(),
            new CompareRequest(
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                Percentage.parse("0%").orElseThrow(),
                20));
  }

  @Test
  void aBuildThatWasKilledGoesOnAfterItsLastStep() throws Exception {
    TestPipeline pipeline = FortyDays.streamed(directory);
    RebuildJob killed =
        FortyDays.job(
            pipeline,
            ENOUGH,
            message -> {
              throw new IllegalStateException("killed");
            });
    RebuildPlan plan = killed.plan(RebuildRequest.COMPUTED).orElseThrow();
    assertThat(plan.steps()).hasSize(2);
    killed.begin(plan);
    assertThatThrownBy(() -> killed.complete(plan, () -> {})).hasMessage("killed");
    assertThat(open(pipeline).fed()).hasSize(1);

    List<String> messages = new ArrayList<>();
    RebuildJob next = FortyDays.job(pipeline, ENOUGH, messages::add);
    RebuildPlan rest = next.plan(RebuildRequest.COMPUTED).orElseThrow();
    assertThat(rest.goesOn()).isTrue();
    assertThat(rest.candidate().generation()).isEqualTo(G2);
    assertThat(rest.steps()).containsExactly(plan.steps().get(1));
    // Archived meanwhile: not the batch part's, whose version is pinned, but the next settlement's.
    pipeline.land(Events.file("d", Events.at("meanwhile", "A", NOON)));
    pipeline.stream();
    next.begin(rest);
    next.complete(rest, () -> {});
    assertThat(messages).hasSize(1);
    assertThat(messages.get(0)).startsWith("g2: step 1 of 1, windows through");

    streamAndSettle(pipeline);
    Comparison comparison = compared(pipeline);
    assertThat(comparison.differing()).isZero();
    assertThat(comparison.rows()).containsEntry(Comparison.EQUAL, 3L);
    assertThat(comparison.notShared()).containsExactly("smallest", "largest", "different", "more");
    JsonNode verified = pipeline.answer(0, "verify", "--generation", "g2");
    assertThat(verified.at("/counts/counted").asLong()).isEqualTo(5);
    assertThat(verified.get("windows_unexplained").asLong()).isZero();
  }

  @Test
  void aRewindThatIsTooLongReadsMoreAndCountsTheSame() throws Exception {
    TestPipeline pipeline = FortyDays.streamed(directory);
    RebuildJob job = FortyDays.job(pipeline, ENOUGH, message -> {});
    long computed =
        job.plan(RebuildRequest.COMPUTED).orElseThrow().candidate().row().start().firstVersion();
    RebuildRequest wholeArchive = told(Duration.ofDays(60));

    RebuildPlan plan = job.plan(wholeArchive).orElseThrow();
    assertThat(plan.candidate().row().start().firstVersion()).isLessThan(computed);
    assertThat(plan.rewind().orElseThrow().excess())
        .isEqualTo(Duration.ofDays(60).minus(Duration.ofHours(12).plusSeconds(1)));
    assertThat(plan.rewind().orElseThrow().excessRecords()).isEqualTo(3);
    rebuild(pipeline, wholeArchive);
    streamAndSettle(pipeline);

    Comparison comparison = compared(pipeline);
    assertThat(comparison.differing()).isZero();
    assertThat(comparison.compared()).isEqualTo(3);
    assertThat(pipeline.answer(0, "verify", "--generation", "g2").at("/counts/agreed").asLong())
        .isEqualTo(3);
  }

  private static RebuildRequest told(Duration rewind) {
    return new RebuildRequest(false, Optional.of(rewind), Optional.empty(), false);
  }

  @Test
  void aReplayThroughTheStreamGivesTheSame() throws Exception {
    TestPipeline pipeline = FortyDays.streamed(directory);
    rebuild(pipeline, new RebuildRequest(true, Optional.empty(), Optional.empty(), false));
    streamAndSettle(pipeline);

    Comparison comparison = compared(pipeline);
    assertThat(comparison.differing()).isZero();
    assertThat(comparison.compared()).isEqualTo(3);
  }

  @Test
  void windowsWhoseEventsAreNoLongerKeptAreInNoNewGeneration() throws Exception {
    TestPipeline pipeline = FortyDays.streamed(directory);
    pipeline.settle();
    KeptArchive.deleteBefore(
        pipeline.format(), pipeline.tables().archive(), LocalDate.of(2026, 4, 1));
    rebuild(pipeline, RebuildRequest.COMPUTED);
    streamAndSettle(pipeline);

    Comparison comparison = compared(pipeline);
    assertThat(comparison.from()).contains(Instant.parse("2026-04-01T00:00:00Z"));
    assertThat(comparison.rows()).containsEntry(Comparison.EQUAL, 1L);
    assertThat(comparison.compared()).isEqualTo(1);
    assertThat(pipeline.answer(0, "verify", "--generation", "g2").at("/counts/agreed").asLong())
        .isEqualTo(1);
  }

  @Test
  void aBuildFromADayOnHasNothingBeforeIt() throws Exception {
    TestPipeline pipeline = FortyDays.streamed(directory);
    Files.writeString(pipeline.file(), FortyDays.changed(pipeline).text());
    assertThat(pipeline.answer(2, "rebuild", "--from", "2026-04-11").get("error").asText())
        .contains(
            "Cannot build from 2026-04-11 on: the batch part ends at 2026-04-11T00:00:00Z, so give a day up to 2026-04-10");
    JsonNode built = pipeline.answer(0, "rebuild", "--from", "2026-04-01");
    assertThat(built.get("steps")).hasSize(1);
    assertThat(built.get("kept_from").asText()).isEqualTo("2026-04-01");
    streamAndSettle(pipeline);

    Comparison comparison = compared(pipeline);
    assertThat(comparison.from()).contains(Instant.parse("2026-04-01T00:00:00Z"));
    assertThat(comparison.rows()).containsEntry(Comparison.EQUAL, 1L);
    assertThat(comparison.compared()).isEqualTo(1);
    // What comes late for an earlier window is counted by the generations that have it.
    pipeline.land(Events.file("d", Events.at("very-late", "A", NOON)));
    pipeline.answer(0, "stream", "--available-now");
    JsonNode settled = pipeline.answer(0, "settle");
    assertThat(settled.at("/counts/corrected").asLong()).isEqualTo(1);
    assertThat(settled.at("/other_generations/g2/why").asText())
        .endsWith(
            "Of frozen windows came 1 memberships, which no settlement counts: the generation was built from 2026-04-01 on");
    JsonNode verified = pipeline.answer(0, "verify", "--generation", "g2");
    assertThat(verified.at("/counts/agreed").asLong()).isEqualTo(1);
    assertThat(verified.get("frozen_before").asText()).isEqualTo("2026-04-01");
    pipeline.answer(0, "compare");
    pipeline.answer(0, "promote", "--wait", "0s");
    assertThat(pipeline.answer(0, "status").at("/pipelines/0/built_from").asText())
        .isEqualTo("2026-04-01");
  }

  @Test
  void noDayOfTheArchiveGoesThatAGenerationStillNeeds() throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml.withMaxAge("1h"));
    for (int day = 0; day < 7; day++) {
      if (day == 6) {
        pipeline.settle();
      }
      pipeline.land(
          Events.file(
              "day-" + day,
              Events.at("e-" + day, "A", NOON.plus(TwoNights.DAY.multipliedBy(day)))));
      pipeline.stream();
    }
    pipeline.settle();
    Files.writeString(pipeline.file(), FortyDays.changed(pipeline).text());
    RebuildJob job = FortyDays.job(pipeline, ENOUGH, message -> {});
    RebuildPlan plan = job.plan(RebuildRequest.COMPUTED).orElseThrow();
    job.begin(plan);
    String[] maintain = {"maintain", "--keep-archive", "2d"};

    assertThat(pipeline.answer(2, maintain).get("error").asText())
        .contains("g2 is being built from them", "tidemark retire");
    pipeline.answer(0, "maintain");
    job.complete(plan, () -> {});
    // The candidate has settled as much, so the day is the same for both.
    JsonNode expired = pipeline.answer(0, maintain).get("expired");
    assertThat(expired.get("kept_from").asText()).isEqualTo("2026-03-05");
    assertThat(expired.get("days").asLong()).isEqualTo(4);

    // One that settles less holds days back.
    pipeline.land(
        Events.file("more", Events.at("e-7", "A", NOON.plus(TwoNights.DAY.multipliedBy(7)))));
    Files.writeString(pipeline.file(), pipeline.yaml().text());
    pipeline.stream();
    pipeline.settle();
    assertThat(pipeline.answer(0, maintain).at("/expired/days").asLong()).isZero();
    streamAndSettle(pipeline);
    assertThat(pipeline.answer(0, maintain).at("/expired/kept_from").asText())
        .isEqualTo("2026-03-06");
  }

  @Test
  void aBuildDuringWhichDaysAreDeletedIsGivenUp() throws Exception {
    TestPipeline pipeline = FortyDays.streamed(directory);
    RebuildJob job =
        FortyDays.job(
            pipeline,
            ENOUGH,
            message ->
                KeptArchive.deleteBefore(
                    pipeline.format(), pipeline.tables().archive(), LocalDate.of(2026, 4, 1)));
    RebuildPlan plan = job.plan(RebuildRequest.COMPUTED).orElseThrow();
    job.begin(plan);

    assertThatThrownBy(() -> job.complete(plan, () -> {}))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining(
            "Days of the archive were deleted while g2 was being built (the archive is kept from 2026-04-01 on)");
    assertThat(generations(pipeline)).isEqualTo("g1 live, g2 building");
  }

  @Test
  void whatHasBeenDeletedIsNotReplayed() throws Exception {
    TestPipeline pipeline = TestPipeline.in(directory, yaml -> yaml.withMaxAge("90d"));
    for (int file = 0; file < 2; file++) {
      pipeline.land(Events.file("a-" + file, Events.at("e-" + file, "A", NOON)));
      pipeline.stream();
    }
    pipeline.land(Events.file("b", Events.at("later", "A", FortyDays.LATER)));
    pipeline.stream();
    TablePath archive = pipeline.tables().archive();
    pipeline.format().files(archive).forEach(day -> pipeline.format().compact(archive, day));
    pipeline.format().vacuum(archive, Duration.ZERO);
    Files.writeString(pipeline.file(), FortyDays.changed(pipeline).text());

    assertThat(pipeline.answer(5, "rebuild", "--replay").get("error").asText())
        .contains(
            "from version 0 on, because files that it added have been replaced",
            "without --replay");
    assertThat(pipeline.answer(0, "rebuild").get("state").asText()).isEqualTo("built");
  }

  @Test
  void ofTwoChangesAtOnceOneWinsAndTheOtherLearnsWhoDid() throws Exception {
    TestPipeline pipeline = FortyDays.streamed(directory);
    rebuild(pipeline, RebuildRequest.COMPUTED);
    PipelineSetup setup = pipeline.setup(FortyDays.changed(pipeline));
    GenerationJournal journal = setup.journal();

    assertThatThrownBy(
            () ->
                journal.change(
                    "second",
                    "promote g2",
                    TestPipeline.CLOCK,
                    generations -> {
                      journal.change(
                          "first", "retire g2", TestPipeline.CLOCK, same -> same.retired(G2));
                      return generations.madeLive(G2, G1, TestPipeline.CLOCK.instant());
                    }))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("Could not promote g2: 'retire g2' of run first came first");
    assertThat(generations(pipeline)).isEqualTo("g1 live, g2 retired");
  }

  @Test
  void aCandidateIsPromotedOnceComparedAndCaughtUpAndItsBatchPartIsNeverUndone() throws Exception {
    TestPipeline pipeline = FortyDays.streamed(directory);
    Files.writeString(pipeline.file(), FortyDays.changed(pipeline).text());
    pipeline.answer(0, "rebuild");

    assertThat(pipeline.answer(3, "promote").get("error").asText())
        .contains("g2 has not been compared with g1");
    assertThat(
            pipeline
                .answer(2, "unsettle", "--generation", "g2", "--reason", "why not")
                .get("error")
                .asText())
        .contains("it is the batch part of generation g2", "tidemark retire");
    pipeline.answer(0, "settle");
    pipeline.answer(0, "compare");
    assertThat(pipeline.answer(4, "promote", "--wait", "0s").get("error").asText())
        .contains("its stream has read nothing yet");
    pipeline.answer(0, "stream", "--available-now");
    pipeline.answer(0, "promote", "--wait", "0s");
    assertThat(pipeline.answer(2, "promote").get("error").asText())
        .contains("There is no candidate to promote (g1 kept, g2 live)");
  }

  @Test
  void whereKeysDifferOnlyTotalsAreComparedAndAPromotionNeedsAReason() throws Exception {
    TestPipeline pipeline = FortyDays.streamed(directory);
    Files.writeString(pipeline.file(), pipeline.yaml().with("keys", "[]").text());
    pipeline.answer(0, "rebuild");
    pipeline.answer(0, "stream", "--available-now");
    pipeline.answer(0, "settle");

    JsonNode compared = pipeline.answer(3, "compare");
    assertThat(compared.get("incomparable").asText()).isEqualTo("their keys differ");
    assertThat(compared.at("/totals/0/measure").asText()).isEqualTo("values");
    compared
        .get("totals")
        .forEach(total -> assertThat(total.get("candidate")).isEqualTo(total.get("live")));
    assertThat(pipeline.answer(3, "promote").get("error").asText())
        .contains("No rows of g2 could be compared with those of g1 one by one");
    assertThat(pipeline.answer(2, "canary", "10%").get("error").asText())
        .contains("it has not the same keys");
    pipeline.answer(0, "promote", "--force", "the totals are right");
    assertThat(pipeline.answer(0, "verify").at("/counts/agreed").asLong()).isEqualTo(3);
  }

  @Test
  void aBrokenCandidateHoldsUpNothing() throws Exception {
    TestPipeline pipeline = FortyDays.streamed(directory);
    rebuild(pipeline, RebuildRequest.COMPUTED);
    streamAndSettle(pipeline);
    FileUtils.deleteDirectory(Path.of(pipeline.tables().of(G2).aggregateCheckpoint()).toFile());

    pipeline.land(Events.file("d", Events.at("e-5", "A", FortyDays.LATER.plus(TwoNights.DAY))));
    JsonNode streamed = pipeline.answer(0, "stream", "--available-now");
    assertThat(streamed.at("/jobs/1/job").asText()).isEqualTo("aggregate-g1");
    assertThat(streamed.at("/jobs/1/input_rows").asLong()).isEqualTo(1);
    JsonNode status = pipeline.answer(0, "status");
    assertThat(status.at("/pipelines/0/waiting_records").asLong()).isZero();
    assertThat(status.at("/pipelines/0/other_generations/0/records_behind").asLong()).isEqualTo(1);
    // Built once more only when it was given up.
    assertThat(pipeline.answer(2, "rebuild", "--again").get("error").asText())
        .contains("g2 is candidate already", "tidemark retire");
    // Alone it is required, and its death is told.
    assertThat(
            pipeline
                .answer(5, "aggregate", "--available-now", "--generation", "g2")
                .get("error")
                .asText())
        .contains("its checkpoint", "is gone", "rebuild --again");
  }
}
