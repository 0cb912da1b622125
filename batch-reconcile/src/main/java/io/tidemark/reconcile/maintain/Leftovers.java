package io.tidemark.reconcile.maintain;

import io.tidemark.tables.FileTotal;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;

/**
 * Files of ours that nobody else deletes.
 *
 * <p>Of a checkpoint these are the temporary files of a process that was killed between writing and
 * renaming one, on local files: each has a name that is never used again. All else in a checkpoint
 * Spark needs, or deletes itself (offsets, commits and state of batches before the last hundred,
 * lists of files that were read once they are in a compacted one).
 *
 * @param names of the files that may be deleted, without their folder
 * @param before only files that have not changed since
 */
record Leftovers(Folder folder, Pattern names, Instant before) {

  /** {@code .5.<uuid>.tmp} and Hadoop's sidecar {@code ..5.<uuid>.tmp.crc}. */
  private static final Pattern UNFINISHED = Pattern.compile("\\..+\\.tmp(\\.crc)?");

  private static final Pattern RESULTS =
      Pattern.compile(
          "[a-z-]+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.json|\\.result-.+\\.tmp");

  static Leftovers ofCheckpoints(Folder folder, Instant before) {
    return new Leftovers(folder, UNFINISHED, before);
  }

  /** Result files of runs; those that a user has named otherwise stay. */
  static Leftovers ofRuns(Folder folder, Instant before) {
    return new Leftovers(folder, RESULTS, before);
  }

  FileTotal removable() {
    return Folder.total(find());
  }

  FileTotal remove() {
    List<FileStatus> found = find();
    found.forEach(folder::delete);
    return Folder.total(found);
  }

  private List<FileStatus> find() {
    return folder.files().stream()
        .filter(file -> file.getModificationTime() < before.toEpochMilli())
        .filter(file -> names.matcher(file.getPath().getName()).matches())
        .toList();
  }
}
