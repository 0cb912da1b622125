package io.tidemark.cli.verb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.reconcile.RowExplanation;
import io.tidemark.reconcile.RowExplanation.ArchivedRecord;
import io.tidemark.reconcile.RowExplanation.Change;
import io.tidemark.reconcile.RowExplanation.Shown;
import io.tidemark.spec.computation.RecordFate;
import io.tidemark.tables.KeptArchive;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExplanationTextTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void aRowIsExplainedInWords() {
    RowExplanation row =
        new RowExplanation(
            NOON,
            NOON.plusSeconds(60),
            "{\"ad_id\":\"a\"}",
            7,
            Optional.of(new KeptArchive(Optional.of(LocalDate.parse("2026-03-02")), false)),
            Optional.of(new Shown("{\"event_count\":2}", "settled", 1)),
            List.of(
                new Change(
                    1,
                    "corrected",
                    NOON.plusSeconds(86_400),
                    Optional.of("{\"event_count\":1}"),
                    Optional.of("{\"event_count\":2}"))),
            Map.of(RecordFate.COUNTED, 1L, RecordFate.LEFT_OUT, 1L, RecordFate.COPY, 2L),
            List.of(
                record(RecordFate.COUNTED, Optional.of(1L)),
                record(RecordFate.COPY, Optional.of(1L)),
                record(RecordFate.LEFT_OUT, Optional.of(1L))),
            3);

    assertThat(new ExplanationText(row).toString())
        .isEqualTo(
            """
            Window [2026-03-01T12:00:00Z, 2026-03-01T12:01:00Z), key {"ad_id":"a"}, as of archive version 7
              Frozen: the archive is kept from 2026-03-02 on, so records from before are gone.
              Estimate of the stream: {"event_count":1}
              Settlement 1 at 2026-03-02T12:00:00Z: corrected
                before {"event_count":1}
                after  {"event_count":2}
              Now: {"event_count":2}, settled, version 1
              Archived records: 2 copy, 1 left-out, 1 counted
                {"click_id":"c"} at 2026-03-01T12:00:00Z, arrived 2026-03-01T12:00:01Z, archived by version 3
                  from file:/in/b.json line 1f
                  counted by the stream
                {"click_id":"c"} at 2026-03-01T12:00:00Z, arrived 2026-03-01T12:00:01Z, archived by version 3
                  from file:/in/b.json line 1f
                  copy of file:/in/a.json line 1f
                {"click_id":"c"} at 2026-03-01T12:00:00Z, arrived 2026-03-01T12:00:01Z, archived by version 3
                  from file:/in/b.json line 1f
                  left out by the stream as too late: windows through 2026-03-01T12:02:00Z were closed; counted by settlement 1
              … and 1 more; --most shows more.
              Besides, 3 rejected records of that day, or of no known one, have no readable time or key: they may belong here.""");
  }

  @Test
  void aRowOfARebuildIsNoEstimateOfAStream() {
    RowExplanation row =
        new RowExplanation(
            NOON,
            NOON.plusSeconds(60),
            "{}",
            7,
            Optional.of(new KeptArchive(Optional.of(LocalDate.parse("2026-03-02")), true)),
            Optional.of(new Shown("{\"event_count\":2}", "settled", 1)),
            List.of(),
            Map.of(RecordFate.BUILT, 2L),
            List.of(),
            0);

    assertThat(new ExplanationText(row).toString())
        .contains(
            """
              Frozen: the generation was built from 2026-03-02 on.
              As the rebuild counted it: {"event_count":2}
            """);
  }

  @Test
  void aRowThatIsNowhereHasNothingToSay() {
    RowExplanation row =
        new RowExplanation(
            NOON,
            NOON.plusSeconds(60),
            "{}",
            7,
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Map.of(),
            List.of(),
            0);

    assertThat(new ExplanationText(row).toString())
        .isEqualTo(
            """
            Window [2026-03-01T12:00:00Z, 2026-03-01T12:01:00Z), key {}, as of archive version 7
              Estimate of the stream: no row
              Now: no row
              Archived records: none""");
  }

  private static final boolean FROZEN = true;
  private static final boolean KEPT = false;

  @Test
  void eachFateHasItsWords() {
    assertThat(ExplanationText.fate(record(RecordFate.IMPORTED, Optional.empty()), FROZEN))
        .isEqualTo(
            "imported, past the stream; counted only if it came before its window was frozen");
    assertThat(ExplanationText.fate(record(RecordFate.LEFT_OUT, Optional.empty()), KEPT))
        .isEqualTo(
            "left out by the stream as too late: windows through 2026-03-01T12:02:00Z were closed;"
                + " a coming settlement counts it");
    assertThat(ExplanationText.fate(record(RecordFate.REJECTED, Optional.empty()), KEPT))
        .isEqualTo("rejected: too-old");
    assertThat(ExplanationText.fate(record(RecordFate.FILTERED, Optional.empty()), KEPT))
        .isEqualTo("left aside by the pipeline's filter");
    assertThat(ExplanationText.fate(record(RecordFate.IMPORTED, Optional.of(2L)), KEPT))
        .isEqualTo("imported, past the stream; counted by settlement 2");
    assertThat(ExplanationText.fate(record(RecordFate.IMPORTED, Optional.empty()), KEPT))
        .isEqualTo("imported, past the stream; a coming settlement counts it");
    assertThat(ExplanationText.fate(record(RecordFate.WAITING, Optional.empty()), KEPT))
        .isEqualTo("not read by the stream yet");
    assertThat(ExplanationText.fate(record(RecordFate.WAITING, Optional.of(2L)), KEPT))
        .isEqualTo("not read by the stream yet; counted by settlement 2");
  }

  private static ArchivedRecord record(RecordFate fate, Optional<Long> settlement) {
    return new ArchivedRecord(
        Optional.of("{\"click_id\":\"c\"}"),
        NOON,
        Optional.of(NOON.plusSeconds(1)),
        "file:/in/b.json line 1f",
        "file:/in/a.json line 1f",
        3,
        Optional.of(NOON.plusSeconds(120)),
        Optional.of("too-old"),
        fate,
        settlement);
  }
}
