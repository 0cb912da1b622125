package io.tidemark.ingest;

import io.tidemark.spec.computation.RecordCounts;
import java.util.List;

/** What an import did or would do. */
public sealed interface ImportOutcome {

  /** Names the files of the import, as they were. */
  String importId();

  /** How many files it is about. */
  int files();

  /**
   * The records of an import.
   *
   * @param problems of the rejected ones
   */
  record ImportedRecords(RecordCounts counts, List<ProblemCount> problems) {
    public ImportedRecords {
      problems = List.copyOf(problems);
    }
  }

  /**
   * The records are in the archive.
   *
   * @param archiveVersion the version that the one commit made
   */
  record Imported(String importId, int files, ImportedRecords records, long archiveVersion)
      implements ImportOutcome {}

  /** An earlier import has taken the same files: nothing was written. */
  record DoneBefore(String importId, int files) implements ImportOutcome {}

  /** Nothing was written. */
  record DryRun(String importId, int files, ImportedRecords records) implements ImportOutcome {}
}
