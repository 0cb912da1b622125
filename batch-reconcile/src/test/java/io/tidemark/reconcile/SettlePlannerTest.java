package io.tidemark.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.merge.AuditResult;
import io.tidemark.merge.SettlementMark;
import io.tidemark.reconcile.SettleDecision.NothingToSettle;
import io.tidemark.reconcile.SettleDecision.Settle;
import io.tidemark.reconcile.SettlePlan.Step;
import io.tidemark.reconcile.SettleRequest.Again;
import io.tidemark.reconcile.SettleRequest.BehindFrontier;
import io.tidemark.reconcile.SettleRequest.Close;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.time.PartitionUnit;
import io.tidemark.spec.time.WindowEnds;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.VersionRange;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SettlePlannerTest {

  private static final Instant FEBRUARY_28 = Instant.parse("2026-02-28T00:00:00Z");
  private static final Instant MARCH_1 = Instant.parse("2026-03-01T00:00:00Z");
  private static final Instant MARCH_2 = Instant.parse("2026-03-02T00:00:00Z");
  private static final Instant MARCH_3 = Instant.parse("2026-03-03T00:00:00Z");
  private static final Optional<Instant> NONE = Optional.empty();
  private static final SettleRequest ALL_BEHIND_FRONTIER = new BehindFrontier(NONE);

  private static SettleDecision byDay(SettleRequest request, SettleState state) {
    return new SettlePlanner(PartitionUnit.DAY).plan(request, state);
  }

  private static SettleDecision byHour(SettleRequest request, SettleState state) {
    return new SettlePlanner(PartitionUnit.HOUR).plan(request, state);
  }

  private static final Dirty CLEAN = Dirty.nothing();

  /** Nothing is settled yet. */
  private static SettleState unsettled(String frontier, long archiveVersion) {
    return new SettleState(
        Optional.empty(),
        Optional.of(Instant.parse(frontier)),
        archiveVersion,
        NONE,
        CLEAN,
        KeptArchive.WHOLE);
  }

  /** Settlement 4 has settled the first of March from archive version 12. */
  private static SettleState settledThroughMarch2(String frontier, long archiveVersion) {
    return new SettleState(
        Optional.of(mark(MARCH_2)),
        Optional.of(Instant.parse(frontier)),
        archiveVersion,
        NONE,
        CLEAN,
        KeptArchive.WHOLE);
  }

  /** The same, and three of that day's pairs have had events archived since. */
  private static SettleState dirtyMarch1(String frontier, long archiveVersion) {
    return settledThroughMarch2(frontier, archiveVersion).with(dirty(3, 0));
  }

  private static Dirty dirty(long pairs, long rows) {
    return dirty(Map.of(MARCH_1, new DirtyPartition(pairs, rows)));
  }

  private static Dirty dirty(Map<Instant, DirtyPartition> partitions) {
    return new Dirty(new TreeMap<>(partitions), Optional.empty());
  }

  private static Step pairs(long after, long through, Map<Instant, Long> pairs) {
    return new Step.DirtyPairs(
        new VersionRange(after, through), new TreeMap<>(pairs), Optional.empty());
  }

  private static SettlementMark mark(Instant settledThrough) {
    return new SettlementMark(
        4,
        "attempt",
        12,
        NONE,
        settledThrough,
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        AuditResult.CLEAN);
  }

  private static Step allThrough(Instant through) {
    return new Step.ClosedWindows(WindowEnds.through(through));
  }

  private static Step between(Instant after, Instant through) {
    return new Step.ClosedWindows(new WindowEnds(Optional.of(after), through));
  }

  private static Step threePairsOfMarch1(long after, long through) {
    return pairs(after, through, Map.of(MARCH_1, 3L));
  }

  @Test
  void theFirstSettlementTakesAllWindowsUpToTheFrontiersDay() {
    assertThat(byDay(ALL_BEHIND_FRONTIER, unsettled("2026-03-02T00:03:00Z", 7)))
        .isEqualTo(
            new Settle(
                new SettlePlan(
                    1,
                    7,
                    Optional.of(Instant.parse("2026-03-02T00:03:00Z")),
                    MARCH_2,
                    Optional.empty(),
                    List.of(allThrough(MARCH_2)))));
  }

  @Test
  void aFrontierOnABoundarySettlesUpToIt() {
    assertThat(settledThrough(byDay(ALL_BEHIND_FRONTIER, unsettled("2026-03-02T00:00:00Z", 7))))
        .isEqualTo(MARCH_2);
    assertThat(settledThrough(byDay(ALL_BEHIND_FRONTIER, unsettled("2026-03-01T23:59:59.999Z", 7))))
        .isEqualTo(MARCH_1);
  }

  @Test
  void byHourTheFrontierIsFlooredToItsHour() {
    assertThat(settledThrough(byHour(ALL_BEHIND_FRONTIER, unsettled("2026-03-02T10:59:59Z", 7))))
        .isEqualTo("2026-03-02T10:00:00Z");
  }

  private static Instant settledThrough(SettleDecision decision) {
    return ((Settle) decision).plan().settledThrough();
  }

  @Test
  void theNextSettlementTakesTheDaysSinceAndThePairsThatGotEventsSince() {
    assertThat(byDay(ALL_BEHIND_FRONTIER, dirtyMarch1("2026-03-03T00:03:00Z", 15)))
        .isEqualTo(
            new Settle(
                new SettlePlan(
                    5,
                    15,
                    Optional.of(Instant.parse("2026-03-03T00:03:00Z")),
                    MARCH_3,
                    Optional.empty(),
                    List.of(between(MARCH_2, MARCH_3), threePairsOfMarch1(12, 15)))));
  }

  @Test
  void withoutANewDayOnlyPairsThatGotEventsAreRecounted() {
    assertThat(byDay(ALL_BEHIND_FRONTIER, dirtyMarch1("2026-03-02T23:00:00Z", 13)))
        .isEqualTo(
            new Settle(
                new SettlePlan(
                    5,
                    13,
                    Optional.of(Instant.parse("2026-03-02T23:00:00Z")),
                    MARCH_2,
                    Optional.empty(),
                    List.of(threePairsOfMarch1(12, 13)))));
  }

  @Test
  void withoutANewCommitOnlyNewDaysAreRecounted() {
    assertThat(byDay(ALL_BEHIND_FRONTIER, settledThroughMarch2("2026-03-03T00:03:00Z", 12)))
        .isEqualTo(
            new Settle(
                new SettlePlan(
                    5,
                    12,
                    Optional.of(Instant.parse("2026-03-03T00:03:00Z")),
                    MARCH_3,
                    Optional.empty(),
                    List.of(between(MARCH_2, MARCH_3)))));
  }

  @Test
  void theBoundaryNeverGoesBack() {
    assertThat(byDay(ALL_BEHIND_FRONTIER, dirtyMarch1("2026-03-01T05:00:00Z", 13)))
        .as("a stream that reads again from the start")
        .isEqualTo(
            new Settle(
                new SettlePlan(
                    5,
                    13,
                    Optional.of(Instant.parse("2026-03-01T05:00:00Z")),
                    MARCH_2,
                    Optional.empty(),
                    List.of(threePairsOfMarch1(12, 13)))));
    assertThat(
            settledThrough(
                byDay(
                    new BehindFrontier(Optional.of(MARCH_1)),
                    dirtyMarch1("2026-03-09T05:00:00Z", 13))))
        .as("--through before what is settled")
        .isEqualTo(MARCH_2);
  }

  @Test
  void throughCapsTheBoundaryAndIsFlooredItself() {
    SettleState state = unsettled("2026-03-09T00:03:00Z", 7);

    assertThat(settledThrough(byDay(new BehindFrontier(Optional.of(MARCH_3)), state)))
        .isEqualTo(MARCH_3);
    assertThat(
            settledThrough(byDay(new BehindFrontier(Optional.of(MARCH_3.minusMillis(1))), state)))
        .isEqualTo(MARCH_2);
  }

  @Test
  void throughBeyondTheFrontierReachesNoFurtherThanTheFrontier() {
    assertThat(
            settledThrough(
                byDay(
                    new BehindFrontier(Optional.of(MARCH_3)),
                    unsettled("2026-03-02T12:00:00Z", 7))))
        .isEqualTo(MARCH_2);
  }

  @Test
  void withoutAFrontierThereIsNothingToSettle() {
    assertThat(
            byDay(
                ALL_BEHIND_FRONTIER,
                new SettleState(Optional.empty(), NONE, 7, NONE, CLEAN, KeptArchive.WHOLE)))
        .isEqualTo(
            new NothingToSettle(
                "the stream has not published a frontier yet: let it run, or stop it and settle"
                    + " with --close --reason '…'"));
  }

  @Test
  void withoutANewPartitionAndADirtyPairThereIsNothingToSettle() {
    assertThat(byDay(ALL_BEHIND_FRONTIER, settledThroughMarch2("2026-03-02T23:00:00Z", 15)))
        .isEqualTo(
            new NothingToSettle(
                "the frontier 2026-03-02T23:00:00Z has not passed another day, and windows through"
                    + " 2026-03-02T00:00:00Z are settled, and no event of a settled window has been archived since"));
    assertThat(byHour(ALL_BEHIND_FRONTIER, settledThroughMarch2("2026-03-02T00:59:00Z", 12)))
        .isEqualTo(
            new NothingToSettle(
                "the frontier 2026-03-02T00:59:00Z has not passed another hour, and windows through"
                    + " 2026-03-02T00:00:00Z are settled, and no event of a settled window has been archived since"));
  }

  @Test
  void anArchiveThatIsOlderThanTheLastSettlementsHasNoNewCommits() {
    assertThat(settledThroughMarch2("2026-03-02T23:00:00Z", 11).newCommits().isEmpty()).isTrue();
  }

  @Test
  void whereManyPairsAreDirtyThePartitionIsRecountedAsAWhole() {
    SettleState state = settledThroughMarch2("2026-03-02T23:00:00Z", 13);

    assertThat(steps(state.with(dirty(40, 2_000))))
        .isEqualTo(
            List.of(
                new Step.WholePartitions(
                    new TreeSet<>(Set.of(MARCH_1)),
                    "many of their pairs have events archived since")));
    assertThat(steps(state.with(dirty(40, 2_001))))
        .isEqualTo(List.of(pairs(12, 13, Map.of(MARCH_1, 40L))));
  }

  @Test
  void saturationIsDecidedForEachPartition() {
    Dirty dirty =
        dirty(
            Map.of(
                MARCH_1, new DirtyPartition(5_000, 5_000), FEBRUARY_28, new DirtyPartition(2, 0)));

    assertThat(steps(settledThroughMarch2("2026-03-02T23:00:00Z", 13).with(dirty)))
        .extracting(step -> step.getClass().getSimpleName())
        .containsExactly("DirtyPairs", "WholePartitions");
  }

  @Test
  void settledDaysAreRecountedAgainOnRequestTogetherWithWhatIsDirty() {
    SettleState state =
        settledThroughMarch2("2026-03-05T00:00:00Z", 13)
            .with(
                dirty(
                    Map.of(
                        FEBRUARY_28, new DirtyPartition(2, 0), MARCH_1, new DirtyPartition(1, 0))));

    SettlePlan plan =
        ((Settle) byDay(new Again(MARCH_1.plusSeconds(60), MARCH_3, "a file was mended"), state))
            .plan();

    assertThat(plan.settledThrough()).as("the boundary stays").isEqualTo(MARCH_2);
    assertThat(plan.closeReason()).contains("a file was mended");
    assertThat(plan.steps())
        .isEqualTo(
            List.of(
                new Step.WholePartitions(new TreeSet<>(Set.of(MARCH_1)), "of 'a file was mended'"),
                pairs(12, 13, Map.of(FEBRUARY_28, 2L))));
  }

  @Test
  void whatIsNotSettledCannotBeSettledAgain() {
    assertThat(
            byDay(
                new Again(MARCH_2, MARCH_3, "again"),
                settledThroughMarch2("2026-03-02T23:00:00Z", 12)))
        .isEqualTo(
            new NothingToSettle(
                "nothing between 2026-03-02T00:00:00Z and 2026-03-03T00:00:00Z is settled yet"));
  }

  @Test
  void windowsThatAreFrozenAreNotSettledAgain() {
    SettleState kept =
        new SettleState(
            Optional.of(mark(MARCH_3)),
            NONE,
            12,
            NONE,
            CLEAN,
            new KeptArchive(Optional.of(LocalDate.parse("2026-03-02")), false));

    assertThatThrownBy(() -> byDay(new Again(MARCH_2.minusSeconds(1), MARCH_3, "again"), kept))
        .isInstanceOf(SpecException.class)
        .hasMessage(
            "Cannot settle windows from 2026-03-01T23:59:59Z again: the archive is kept from"
                + " 2026-03-02 on, so what starts before is frozen. Ask for windows from"
                + " 2026-03-02T00:00:00Z on.");
    assertThat(byDay(new Again(MARCH_2, MARCH_3, "again"), kept)).isInstanceOf(Settle.class);
  }

  private static List<Step> steps(SettleState state) {
    return ((Settle) byDay(ALL_BEHIND_FRONTIER, state)).plan().steps();
  }

  @Test
  void aCloseTakesAllThatTheArchiveHoldsWhateverTheFrontier() {
    SettleState state =
        new SettleState(
            Optional.of(mark(MARCH_1)),
            Optional.of(Instant.parse("2026-03-01T12:00:00Z")),
            15,
            Optional.of(Instant.parse("2026-03-02T10:01:00Z")),
            dirty(Map.of(FEBRUARY_28, new DirtyPartition(3, 0))),
            KeptArchive.WHOLE);

    assertThat(byDay(new Close(NONE, "the shop has closed"), state))
        .isEqualTo(
            new Settle(
                new SettlePlan(
                    5,
                    15,
                    Optional.of(Instant.parse("2026-03-01T12:00:00Z")),
                    MARCH_3,
                    Optional.of("the shop has closed"),
                    List.of(between(MARCH_1, MARCH_3), pairs(12, 15, Map.of(FEBRUARY_28, 3L))))));
  }

  @Test
  void aCloseNeedsNoFrontier() {
    SettleState state =
        new SettleState(Optional.empty(), NONE, 3, Optional.of(MARCH_2), CLEAN, KeptArchive.WHOLE);

    assertThat(byDay(new Close(NONE, "test data"), state))
        .as("the last window ends with the first of March, so this day is enough")
        .isEqualTo(
            new Settle(
                new SettlePlan(
                    1, 3, NONE, MARCH_2, Optional.of("test data"), List.of(allThrough(MARCH_2)))));
  }

  @Test
  void aCloseGoesNoFurtherThanThrough() {
    SettleState state =
        new SettleState(
            Optional.empty(),
            NONE,
            3,
            Optional.of(Instant.parse("2026-03-09T10:01:00Z")),
            CLEAN,
            KeptArchive.WHOLE);

    assertThat(
            settledThrough(
                byDay(new Close(Optional.of(MARCH_2.plusSeconds(60)), "test data"), state)))
        .isEqualTo(MARCH_2);
  }

  @Test
  void aCloseGoesNoFurtherThanTheArchive() {
    SettleState state =
        new SettleState(
            Optional.empty(),
            NONE,
            3,
            Optional.of(Instant.parse("2026-03-01T10:01:00Z")),
            CLEAN,
            KeptArchive.WHOLE);

    assertThat(
            settledThrough(
                byDay(
                    new Close(Optional.of(Instant.parse("2099-01-01T00:00:00Z")), "for good"),
                    state)))
        .as("windows to come would get no estimate")
        .isEqualTo(MARCH_2);
  }

  @Test
  void aCloseThatMovesNoBoundaryIsAnOrdinarySettlementOfDirtyPairs() {
    SettleState state =
        new SettleState(
            Optional.of(mark(MARCH_2)),
            NONE,
            13,
            Optional.of(MARCH_2),
            dirty(3, 0),
            KeptArchive.WHOLE);

    assertThat(byDay(new Close(NONE, "once more"), state))
        .isEqualTo(
            new Settle(
                new SettlePlan(
                    5, 13, NONE, MARCH_2, Optional.empty(), List.of(threePairsOfMarch1(12, 13)))));
  }

  @Test
  void aCloseOfAnEmptyOrSettledArchiveHasNothingToSettle() {
    assertThat(
            byDay(
                new Close(NONE, "the end"),
                new SettleState(Optional.empty(), NONE, 0, NONE, CLEAN, KeptArchive.WHOLE)))
        .isEqualTo(new NothingToSettle("the archive holds no event that counts"));
    assertThat(
            byDay(
                new Close(NONE, "the end"),
                new SettleState(
                    Optional.of(mark(MARCH_2)),
                    NONE,
                    12,
                    Optional.of(MARCH_2),
                    CLEAN,
                    KeptArchive.WHOLE)))
        .isEqualTo(
            new NothingToSettle(
                "all windows of the archive are settled, and no event of a settled window has been archived since"));
  }
}
