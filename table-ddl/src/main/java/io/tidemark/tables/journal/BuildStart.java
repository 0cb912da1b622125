package io.tidemark.tables.journal;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where the two parts of a rebuilt generation meet: a batch counts what lies before, a stream what
 * lies after.
 *
 * @param boundary windows that end at or before it are counted by the batch part; empty: none are
 * @param from the event day (UTC) that the batch part begins with: earlier windows are not built;
 *     empty: all are
 * @param archiveVersion the pinned version of the archive that the batch part counts; empty: there
 *     is no batch part
 * @param firstVersion the version of the archive that the stream starts with: the rewind
 */
public record BuildStart(
    Optional<Instant> boundary,
    Optional<LocalDate> from,
    OptionalLong archiveVersion,
    long firstVersion) {

  /** Everything is streamed from the archive's first version on. */
  public static final BuildStart ALL_STREAMED =
      new BuildStart(Optional.empty(), Optional.empty(), OptionalLong.empty(), 0);

  public BuildStart {
    if (boundary.isPresent() != archiveVersion.isPresent()) {
      throw new IllegalArgumentException("a batch part needs a boundary and an archive version");
    }
    if (from.isPresent() && boundary.isEmpty()) {
      throw new IllegalArgumentException("only a batch part begins with a day");
    }
    if (firstVersion < 0) {
      throw new IllegalArgumentException("first version is below 0: " + firstVersion);
    }
  }

  /** With a batch part. */
  public static BuildStart at(
      Instant boundary, Optional<LocalDate> from, long archiveVersion, long firstVersion) {
    return new BuildStart(
        Optional.of(boundary), from, OptionalLong.of(archiveVersion), firstVersion);
  }
}
