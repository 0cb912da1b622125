package io.tidemark.merge;

import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.LabelledCommit;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.VersionRange;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the newest settlement of an aggregates table in its commits. Remembers where it looked, so
 * that a stream which asks at every batch reads each commit once. Not safe for several threads.
 */
public final class SettlementMarks {

  /**
   * A settlement's mark, and the commit that carries it.
   *
   * @param tableVersion the version of the aggregates that the commit made
   */
  public record Adopted(SettlementMark mark, long tableVersion) {}

  private static final long NOTHING_SEEN = -1;

  private final TableFormat format;
  private final TablePath aggregates;
  private long seenThrough = NOTHING_SEEN;
  private @Nullable Adopted newest;

  public SettlementMarks(TableFormat format, TablePath aggregates) {
    this.format = format;
    this.aggregates = aggregates;
  }

  /** The newest settlement in the table's latest version. */
  public Optional<Adopted> newest() {
    return newestAt(format.version(aggregates));
  }

  /**
   * The newest settlement at or before a version of the table that is not older than the last one
   * asked for.
   *
   * @throws UnsafeEnvironmentException if there was a settlement and its commit has been removed
   */
  public Optional<Adopted> newestAt(long version) {
    if (seenThrough == NOTHING_SEEN
        && format.newestVersionOf(aggregates, SettlementMark.APPLICATION).isEmpty()) {
      seenThrough = version;
      return Optional.empty();
    }
    if (version > seenThrough) {
      Optional<LabelledCommit> found =
          format.newest(
              aggregates, new VersionRange(seenThrough, version), SettlementMark.APPLICATION);
      if (found.isPresent()) {
        newest =
            new Adopted(
                SettlementMark.parse(found.get().label().message()), found.get().tableVersion());
      } else if (seenThrough == NOTHING_SEEN && !firstIsAfter(version)) {
        throw new UnsafeEnvironmentException(
            "Cannot find the commit of the newest settlement of "
                + aggregates
                + ": the table's log no longer holds it, so it is not known through when its rows"
                + " are settled. Ingest again into a new warehouse path.");
      }
      seenThrough = version;
    }
    return Optional.ofNullable(newest);
  }

  /** Whether the first settlement was made only after this version. */
  private boolean firstIsAfter(long version) {
    return format
        .newest(
            aggregates,
            new VersionRange(version, format.version(aggregates)),
            SettlementMark.APPLICATION)
        .map(commit -> SettlementMark.parse(commit.label().message()).settlement() == 1)
        .orElse(false);
  }
}
