package io.tidemark.merge;

import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.LabelledCommit;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.VersionRange;
import java.time.Instant;
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

  /** Windows that end at or before it are settled in the table's latest version; empty: none. */
  public Optional<Instant> settledThrough() {
    return newest()
        .map(Adopted::mark)
        .filter(SettlementMark::settlesAnything)
        .map(SettlementMark::settledThrough);
  }

  /**
   * The commit of a settlement.
   *
   * @throws io.tidemark.spec.error.UnsafeEnvironmentException if the table's log no longer holds it
   */
  public Adopted of(long settlement) {
    return format
        .labelled(aggregates, SettlementMark.APPLICATION, settlement)
        .map(SettlementMarks::adopted)
        .orElseThrow(
            () ->
                new UnsafeEnvironmentException(
                    "Cannot find the commit of settlement "
                        + settlement
                        + " in the log of "
                        + aggregates
                        + ": it is older than the log is kept, so it can't be undone. Settle its"
                        + " days again instead, with 'tidemark settle --again'."));
  }

  /** The settlement that is in force again when one is undone; empty: none. */
  public Optional<SettlementMark> below(Adopted undone) {
    return new SettlementMarks(format, aggregates)
        .newestAt(undone.tableVersion() - 1)
        .map(Adopted::mark)
        .filter(SettlementMark::settlesAnything);
  }

  /**
   * The newest settlement at or before a version of the table that is not older than the last one
   * asked for.
   *
   * @throws io.tidemark.spec.error.UnsafeEnvironmentException if there was a settlement and its
   *     commit has been removed
   */
  public Optional<Adopted> newestAt(long version) {
    if (version > seenThrough) {
      format
          .newest(aggregates, new VersionRange(seenThrough, version), SettlementMark.APPLICATION)
          .ifPresent(commit -> newest = adopted(commit));
      seenThrough = version;
    }
    return Optional.ofNullable(newest);
  }

  private static Adopted adopted(LabelledCommit commit) {
    return new Adopted(SettlementMark.parse(commit.message()), commit.tableVersion());
  }
}
