package io.tidemark.tables.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProgressStepTest {

  private static final ProgressStep BEFORE = step(1, 7, "2026-03-01T10:00:00Z", 12);

  private static ProgressStep step(long epoch, long batch, String frontier, long archiveVersion) {
    return new ProgressStep(
        epoch,
        "checkpoint",
        batch,
        Optional.of(Instant.parse(frontier)),
        OptionalLong.of(archiveVersion),
        Optional.empty());
  }

  @Test
  void aBatchThatMovesNeitherFrontierNorArchiveVersionSaysNothingNew() {
    assertThat(step(1, 8, "2026-03-01T10:00:00Z", 12).movesOn(BEFORE)).isFalse();
  }

  @Test
  void theSettledBoundaryAloneIsNoNews() {
    ProgressStep settled =
        new ProgressStep(
            1,
            "checkpoint",
            8,
            BEFORE.frontier(),
            BEFORE.archiveVersion(),
            Optional.of(Instant.parse("2026-03-01T00:00:00Z")));

    assertThat(settled.movesOn(BEFORE)).isFalse();
  }

  @Test
  void aFrontierOrAnArchiveVersionOrAnEpochIsNews() {
    assertThat(step(1, 8, "2026-03-01T10:01:00Z", 12).movesOn(BEFORE)).isTrue();
    assertThat(step(1, 8, "2026-03-01T10:00:00Z", 13).movesOn(BEFORE)).isTrue();
    assertThat(step(2, 7, "2026-03-01T10:00:00Z", 12).movesOn(BEFORE)).isTrue();
  }

  @Test
  void anEpochOpensBeforeItsFirstBatchWithoutAFrontier() {
    assertThat(ProgressStep.opening(2, "checkpoint", 0))
        .isEqualTo(
            new ProgressStep(
                2, "checkpoint", -1, Optional.empty(), OptionalLong.empty(), Optional.empty()));
    assertThat(
            step(2, 0, "2026-03-01T10:00:00Z", 0).movesOn(ProgressStep.opening(2, "checkpoint", 0)))
        .isTrue();
  }

  @Test
  void aPublishedStepIsReadBackFromItsCommit() {
    Instant now = Instant.parse("2026-03-01T10:00:05.123456Z");
    ProgressStep full =
        new ProgressStep(
            1, "checkpoint", 7, BEFORE.frontier(), OptionalLong.of(12), BEFORE.frontier());

    for (ProgressStep step :
        List.of(full, ProgressStep.opening(2, "other", 7), ProgressStep.built(Instant.EPOCH, 3))) {
      assertThat(PublishedStep.parse(new PublishedStep(step, now).toJson()))
          .isEqualTo(new PublishedStep(step, now));
    }
  }

  @Test
  void aStepOfAnotherToolIsRefused() {
    assertThatThrownBy(() -> PublishedStep.parse("{\"epoch\": 1}"))
        .isInstanceOf(UnsafeEnvironmentException.class)
        .hasMessageContaining("Was the table written by another tool?");
  }
}
