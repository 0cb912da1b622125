package io.tidemark.tables.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.error.DataRefusedException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.Generation;
import io.tidemark.tables.journal.GenerationRow.Definition;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GenerationsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00.123Z");
  private static final Instant LATER = NOW.plusSeconds(60);
  private static final Generation G1 = new Generation(1);
  private static final Generation G2 = new Generation(2);
  private static final Generation G3 = new Generation(3);

  private static final Generations ONE =
      Generations.NONE.with(GenerationRow.first(definition("one"), NOW));
  private static final Generations BUILDING = ONE.with(building(G2, "two"));
  private static final Generations CANDIDATE = BUILDING.built(G2);
  private static final Generations PROMOTED = CANDIDATE.madeLive(G2, G1, LATER);

  private static Definition definition(String fingerprint) {
    return new Definition("archive", fingerprint, "keys: \"a\"\nwindow: 1h\n", "pipeline: a\n");
  }

  private static GenerationRow building(Generation generation, String fingerprint) {
    return GenerationRow.building(
        generation,
        definition(fingerprint),
        BuildStart.at(NOW, Optional.of(LocalDate.parse("2026-01-31")), 17, 12),
        NOW);
  }

  @Test
  void aChangeIsReadAsItWasWritten() {
    Generations compared =
        CANDIDATE.compared(G2, new ComparisonNote("run-1", G1, 10, 2, true, LATER));

    for (Generations generations :
        new Generations[] {ONE, BUILDING, compared, PROMOTED, CANDIDATE.served(10)}) {
      GenerationChange change = new GenerationChange(7, "run-2", "promote g2", NOW, generations);
      assertThat(GenerationChange.parse(change.toJson())).isEqualTo(change);
    }
  }

  @Test
  void tablesOfAnotherFormatAreRefusedWithBothNumbers() {
    String later = change().replace("\"format_version\":4", "\"format_version\":5");

    assertThatThrownBy(() -> GenerationChange.parse(later))
        .isInstanceOf(UnsafeEnvironmentException.class)
        .hasMessageContaining("of format 5")
        .hasMessageContaining("writes format 4");
  }

  @Test
  void whatIsNoChangeIsRefused() {
    for (String damaged :
        new String[] {
          "{",
          change().replace("\"g1\"", "\"first\""),
          change().replace("\"live\"", "\"alive\""),
          change().replace("Z\"", "\"")
        }) {
      assertThatThrownBy(() -> GenerationChange.parse(damaged))
          .isInstanceOf(UnsafeEnvironmentException.class)
          .hasMessageContaining("Cannot read the generations");
    }
  }

  private static String change() {
    return new GenerationChange(1, "run", "create g1", NOW, ONE).toJson();
  }

  @Test
  void theLiveOneIsFedFirstThenTheNewest() {
    assertThat(BUILDING.fed()).extracting(GenerationRow::generation).containsExactly(G1);
    assertThat(CANDIDATE.fed()).extracting(GenerationRow::generation).containsExactly(G1, G2);
    Generations three = PROMOTED.with(building(G3, "three")).built(G3);
    assertThat(three.fed()).extracting(GenerationRow::generation).containsExactly(G2, G3, G1);
  }

  @Test
  void aPromotionMovesTheLiveStateAndRemembersBothTimes() {
    assertThat(PROMOTED.inWords()).isEqualTo("g1 kept, g2 live");
    assertThat(PROMOTED.require(G1).replacedAt()).contains(LATER);
    assertThat(PROMOTED.require(G2).promotedAt()).contains(LATER);
    assertThat(PROMOTED.madeLive(G1, G2, LATER).inWords()).isEqualTo("g1 live, g2 kept");
  }

  @Test
  void aPromotionThatWasDecidedOnAnotherLiveOneIsRefused() {
    Generations overtaken = PROMOTED.with(building(G3, "three")).built(G3);

    assertThatThrownBy(() -> overtaken.madeLive(G3, G1, LATER))
        .isInstanceOf(DataRefusedException.class)
        .hasMessageContaining("g1, which it was compared with, is not live any more")
        .hasMessageContaining("g1 kept, g2 live, g3 candidate");
  }

  @Test
  void onlyWhatIsCompleteAndFedCanBeMadeLive() {
    assertThatThrownBy(() -> BUILDING.madeLive(G2, G1, LATER))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("g2 is building: it cannot be made live");
    assertThatThrownBy(() -> CANDIDATE.retired(G2).madeLive(G2, G1, LATER))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("g2 is retired");
    assertThatThrownBy(() -> ONE.madeLive(G2, G1, LATER))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("There is no generation g2; there are: g1 live");
  }

  @Test
  void theCandidateIsServedUntilItIsLiveOrNoMore() {
    Generations served = CANDIDATE.served(10);

    assertThat(served.require(G2).canary()).isEqualTo(10);
    assertThat(served.served(0)).isEqualTo(CANDIDATE);
    assertThat(served.madeLive(G2, G1, LATER)).isEqualTo(PROMOTED);
    assertThat(served.retired(G2).require(G2).canary()).isZero();
    for (Generations without : new Generations[] {ONE, BUILDING, PROMOTED}) {
      assertThatThrownBy(() -> without.served(10))
          .isInstanceOf(SpecException.class)
          .hasMessageContaining("There is no candidate to serve");
    }
  }

  @Test
  void thereIsOneCandidateAtATime() {
    assertThatThrownBy(() -> CANDIDATE.with(building(G3, "three")))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("g2 is candidate already")
        .hasMessageContaining("tidemark retire");
    assertThat(CANDIDATE.retired(G2).with(building(G3, "three")).inWords())
        .isEqualTo("g1 live, g2 retired, g3 building");
  }

  @Test
  void theLiveOneIsNeverRetired() {
    assertThatThrownBy(() -> PROMOTED.retired(G2))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining("g2 is live: it cannot be retired");
    assertThat(PROMOTED.retired(G1).inWords()).isEqualTo("g1 retired, g2 live");
  }

  @Test
  void aNumberIsNeverUsedTwice() {
    assertThat(Generations.NONE.next()).isEqualTo(G1);
    assertThat(CANDIDATE.retired(G2).next()).isEqualTo(G3);
  }

  @Test
  void aFingerprintFindsTheNewestThatIsNotRetired() {
    Generations twice = PROMOTED.with(building(G3, "one"));

    assertThat(twice.of("one").map(GenerationRow::generation)).contains(G3);
    assertThat(twice.retired(G3).of("one").map(GenerationRow::generation)).contains(G1);
    assertThat(twice.of("unknown")).isEmpty();
  }
}
