package io.tidemark.reconcile.generation;

import io.tidemark.spec.error.DataRefusedException;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Room for another copy of a pipeline's aggregates. */
public interface DiskSpace {

  /** The bytes that are free where a folder lies; empty: it can't be known, as of object stores. */
  OptionalLong free(String folder);

  /** Of this machine's file systems. */
  static DiskSpace ofThisMachine() {
    return folder -> {
      if (folder.contains(":")) {
        return OptionalLong.empty();
      }
      Path existing = Path.of(folder).toAbsolutePath();
      while (!Files.exists(existing) && existing.getParent() != null) {
        existing = existing.getParent();
      }
      try {
        return OptionalLong.of(Files.getFileStore(existing).getUsableSpace());
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot ask how much room there is in " + existing, e);
      }
    };
  }

  /**
   * What a generation needs.
   *
   * @param bytes as much as the live one's aggregates take now
   * @param free where they lie; empty: it can't be known
   */
  record Need(long bytes, OptionalLong free) {

    /** What is still needed when so much has been written. */
    Need after(long written, OptionalLong freeNow) {
      return new Need(Math.max(0, bytes - written), freeNow);
    }

    /**
     * Refuses to go on without room.
     *
     * @throws DataRefusedException with both numbers
     */
    void require(String folder) {
      if (free.isPresent() && free.getAsLong() < bytes) {
        throw new DataRefusedException(
            "No room for another generation in %s: it takes about %d bytes, as the live one does, and %d are free. Make room ('tidemark maintain', 'tidemark retire'), then run again."
                .formatted(folder, bytes, free.getAsLong()));
      }
    }
  }

  /** What another copy of a table needs. Cost: reads the table's log. */
  default Need forCopyOf(TableFormat format, TablePath table, String folder) {
    return new Need(format.bytes(table), free(folder));
  }
}
