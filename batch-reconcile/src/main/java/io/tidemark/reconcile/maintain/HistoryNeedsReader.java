package io.tidemark.reconcile.maintain;

import io.tidemark.merge.SettlementMark;
import io.tidemark.merge.SettlementMarks;
import io.tidemark.merge.SettlementMarks.Adopted;
import io.tidemark.reconcile.maintain.HistoryNeeds.Inserts;
import io.tidemark.reconcile.maintain.HistoryNeeds.Standing;
import io.tidemark.reconcile.maintain.HistoryNeeds.Unread;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.VersionRange;
import io.tidemark.tables.journal.ProgressStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what is needed of the archive's past from the tables' commits, without a Spark job. */
record HistoryNeedsReader(TableFormat format, PipelineTables tables) {

  /**
   * What is needed of the time before an instant. Cost: one small read for each commit of the
   * archive since the oldest that is needed.
   *
   * @param step the stream's newest
   * @param newest the newest settlement or undoing
   */
  HistoryNeeds before(Instant instant, Optional<ProgressStep> step, Optional<Adopted> newest) {
    long latest = format.version(tables.archive());
    List<Inserts> inserts = new ArrayList<>();
    if (newest.isPresent() && newest.get().mark().settlesAnything()) {
      SettlementMark mark = newest.get().mark();
      inserts(mark, Standing.IN_FORCE, instant, latest).ifPresent(inserts::add);
      below(mark)
          .flatMap(below -> inserts(below, Standing.BELOW, instant, latest))
          .ifPresent(inserts::add);
    }
    return new HistoryNeeds(
        unread(step.map(ProgressStep::readThrough).orElse(ProgressStep.NOTHING_READ), latest),
        inserts);
  }

  private Optional<Unread> unread(long read, long latest) {
    if (read >= latest) {
      return Optional.empty();
    }
    long records = format.backlog(tables.archive(), new VersionRange(read, latest)).rows();
    if (format.committedAt(tables.archive(), read + 1).isEmpty()) {
      return Optional.of(new Unread(read, Optional.empty(), records));
    }
    return records == 0
        ? Optional.empty()
        : Optional.of(
            new Unread(read, format.committedAt(tables.archive(), Math.max(read, 0)), records));
  }

  private Optional<Inserts> inserts(
      SettlementMark mark, Standing standing, Instant before, long latest) {
    return format
        .committedAt(tables.archive(), mark.archiveVersion())
        .filter(recounted -> !recounted.isAfter(before))
        .map(
            recounted ->
                new Inserts(
                    mark.inForce(),
                    standing,
                    mark.archiveVersion(),
                    recounted,
                    format
                        .backlog(
                            tables.archive(), VersionRange.since(mark.archiveVersion(), latest))
                        .rows()))
        .filter(since -> since.records() > 0);
  }

  /** The settlement that an undoing goes back to, as far as the log still holds it. */
  private Optional<SettlementMark> below(SettlementMark newest) {
    SettlementMarks history = new SettlementMarks(format, tables.aggregates());
    try {
      return history.below(history.of(newest.inForce()));
    } catch (UnsafeEnvironmentException gone) {
      // An undoing would end here too, so it goes back to nothing.
      return Optional.empty();
    }
  }
}
