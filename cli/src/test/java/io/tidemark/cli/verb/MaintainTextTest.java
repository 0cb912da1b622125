package io.tidemark.cli.verb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.reconcile.maintain.ExpiredDays;
import io.tidemark.reconcile.maintain.MaintainOutcome;
import io.tidemark.reconcile.maintain.MaintainOutcome.Upkeep;
import io.tidemark.reconcile.maintain.TableUpkeep;
import io.tidemark.reconcile.maintain.TableUpkeep.CompactionResult;
import io.tidemark.tables.FileTotal;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MaintainTextTest {

  private static final Upkeep UPKEEP =
      new Upkeep(
          Duration.ofDays(7),
          Optional.empty(),
          List.of(
              new TableUpkeep(
                  "archive",
                  new CompactionResult(2, 288, 2, List.of()),
                  new FileTotal(144, 1_234_567)),
              new TableUpkeep(
                  "aggregates",
                  new CompactionResult(0, 0, 0, List.of("`window_date` = DATE'2026-03-01'")),
                  FileTotal.NONE)),
          new FileTotal(1, 12),
          FileTotal.NONE);

  @Test
  void peopleReadWhatWasDoneTableByTable() {
    assertThat(MaintainText.of(new MaintainOutcome.Done(UPKEEP)))
        .isEqualTo(
            """
            Maintained, with a history of 7d:
            table       partitions  files before  files after  deleted    bytes
            archive              2           288            2      144  1234567
            aggregates           0             0            0        0        0
            Partitions were compacted from so many files to so many; replaced files are deleted once they are older than the history.
            Temporary files that crashes left in the checkpoints: 1 (12 bytes). Files that old runs left: none.
            Left for the next run, because another writer came first: aggregates, `window_date` = DATE'2026-03-01'.""");
  }

  @Test
  void aDryRunSaysThatNothingWasWritten() {
    assertThat(MaintainText.of(new MaintainOutcome.DryRun(UPKEEP)))
        .startsWith("Would be done, with a history of 7d:\n")
        .endsWith("\nNothing was written.");
    assertThat(MaintainText.data(new MaintainOutcome.DryRun(UPKEEP)))
        .containsEntry("state", "dry-run");
  }

  private static String withArchive(ExpiredDays days) {
    return MaintainText.of(
        new MaintainOutcome.Done(
            new Upkeep(
                Duration.ofDays(7), Optional.of(days), List.of(), FileTotal.NONE, FileTotal.NONE)));
  }

  @Test
  void whatBecameOfTheArchivesDaysIsSaid() {
    Duration year = Duration.ofDays(365);

    assertThat(
            withArchive(
                new ExpiredDays(
                    year, Optional.of(LocalDate.parse("2025-03-02")), 2, new FileTotal(3, 4096))))
        .contains(
            "\n2 days (3 files, 4096 bytes) of the archive were deleted: it is kept from 2025-03-02 on, and windows that start before are frozen.\n");
    assertThat(withArchive(new ExpiredDays(year, Optional.empty(), 0, FileTotal.NONE)))
        .contains(
            "\nNo day of the archive older than 365d before the settled boundary could go; all are kept. Days that");
    assertThat(
            withArchive(
                new ExpiredDays(
                    year, Optional.of(LocalDate.parse("2025-03-02")), 0, FileTotal.NONE)))
        .contains("could go; it is kept from 2025-03-02 on. Days that");
  }
}
