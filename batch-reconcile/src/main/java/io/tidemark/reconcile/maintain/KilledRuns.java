package io.tidemark.reconcile.maintain;

import io.tidemark.tables.FileTotal;
import java.time.Instant;
import java.util.List;

/**
 * Tables of their own that runs did not live to remove.
 *
 * @param folder with a folder for each run
 * @param before only runs that have not written since
 */
record KilledRuns(Folder folder, Instant before) {

  FileTotal removable() {
    return find().stream().map(KilledRuns::total).reduce(FileTotal.NONE, FileTotal::plus);
  }

  FileTotal remove() {
    FileTotal removed = FileTotal.NONE;
    for (Folder run : find()) {
      removed = removed.plus(total(run));
      run.delete();
    }
    return removed;
  }

  private List<Folder> find() {
    return folder.folders().stream().filter(this::isOld).toList();
  }

  private boolean isOld(Folder run) {
    return run.files().stream()
        .noneMatch(file -> file.getModificationTime() >= before.toEpochMilli());
  }

  private static FileTotal total(Folder run) {
    return Folder.total(run.files());
  }
}
