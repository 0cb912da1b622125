package io.tidemark.cli.verb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.VerbResult;
import io.tidemark.ingest.ImportOutcome;
import io.tidemark.ingest.ImportOutcome.ImportedRecords;
import io.tidemark.ingest.ProblemCount;
import io.tidemark.spec.computation.RecordCounts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ImportVerbTest {

  private static final ProblemCount MALFORMED =
      new ProblemCount("malformed", 1, Optional.of("no json"));
  private static final ImportedRecords TWELVE =
      new ImportedRecords(new RecordCounts(12, 1, 0, 11), List.of(MALFORMED));

  @Test
  void anImportSaysWhatItTookAndWhoAdoptsIt() {
    VerbResult answer = ImportVerb.answer(new ImportOutcome.Imported("1f", 2, TWELVE, 7));

    assertThat(answer.text())
        .isEqualTo(
            "12 records imported: 11 considered, 1 malformed. The next settlement adopts them.");
    assertThat(answer.data())
        .containsEntry("state", "imported")
        .containsEntry("import_id", "1f")
        .containsEntry("files", 2)
        .containsEntry("archive_version", 7L)
        .containsEntry("records", TWELVE.counts())
        .containsEntry(
            "problems",
            List.of(Map.of("problem", "malformed", "records", 1L, "example", "no json")));
  }

  @Test
  void whereNothingCountsNothingIsAdopted() {
    ImportedRecords one = new ImportedRecords(new RecordCounts(2, 1, 1, 0), List.of(MALFORMED));

    assertThat(ImportVerb.answer(new ImportOutcome.Imported("1f", 1, one, 7)).text())
        .isEqualTo("2 records imported: 0 considered, 1 filtered, 1 malformed.");
  }

  @Test
  void aDryRunSaysThatNothingWasWritten() {
    assertThat(ImportVerb.answer(new ImportOutcome.DryRun("1f", 2, TWELVE)).text())
        .isEqualTo(
            """
            12 records would be imported: 11 considered, 1 malformed.
            Nothing was written.""");
  }

  @Test
  void theSameFilesAgainAreNotImported() {
    VerbResult answer = ImportVerb.answer(new ImportOutcome.DoneBefore("1f", 2));

    assertThat(answer.text())
        .isEqualTo("Nothing to import: these files have been imported before.");
    assertThat(answer.data()).containsEntry("state", "imported-before");
  }
}
