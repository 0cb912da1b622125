package io.tidemark.reconcile.maintain;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;

import io.tidemark.merge.SettlementMark;
import io.tidemark.merge.SettlementMarks;
import io.tidemark.merge.SettlementMarks.Adopted;
import io.tidemark.reconcile.SettlementReach;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.PartitionFiles;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.journal.ProgressStep;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;

/**
 * Deletes days of the archive that are older than the retention. Their windows are frozen by the
 * same commit. The files go with a later clean-up, once they are older than the history.
 */
record ArchiveExpiry(PipelineSpec spec, PipelineTables tables, TableFormat format) {

  /**
   * What there is to delete; writes nothing.
   *
   * @param step the stream's newest
   * @param newest the newest settlement or undoing
   * @throws SpecException if the retention is too short, or a job has still to read some of it
   */
  ExpiredDays plan(Duration retention, Optional<ProgressStep> step, Optional<Adopted> newest) {
    ArchiveRetention rule = new ArchiveRetention(spec);
    rule.require(retention);
    KeptArchive kept = KeptArchive.of(format, tables.archive());
    Optional<SettlementMark> settled =
        newest.map(Adopted::mark).filter(SettlementMark::settlesAnything);
    Optional<LocalDate> from =
        settled
            .flatMap(
                mark -> rule.keepFrom(retention, mark.settledThrough(), undoable(mark.inForce())))
            // What has come since for days that are frozen goes with the next ones.
            .filter(day -> kept.from().isEmpty() || day.isAfter(kept.from().get()));
    List<PartitionFiles> old =
        from.map(
                day ->
                    format.files(tables.archive()).stream()
                        .filter(partition -> ExpiredDays.isBefore(day, partition))
                        .toList())
            .orElse(List.of());
    if (old.isEmpty()) {
      return ExpiredDays.none(retention, kept.from());
    }
    requireRead(rule, kept, from.orElseThrow(), step, settled.orElseThrow());
    return ExpiredDays.of(retention, from.get(), old);
  }

  /** The first window that undoing the settlement would change. */
  private Instant undoable(long settlement) {
    SettlementMarks history = new SettlementMarks(format, tables.aggregates());
    try {
      Adopted inForce = history.of(settlement);
      return SettlementReach.firstWindow(
          inForce.mark(), history.below(inForce), format.read(tables.corrections()), spec);
    } catch (UnsafeEnvironmentException outOfLog) {
      // It can't be undone any more, so nothing is kept for that.
      return Instant.MAX;
    }
  }

  /** Of days that are frozen nothing is read any more. */
  private void requireRead(
      ArchiveRetention rule,
      KeptArchive kept,
      LocalDate day,
      Optional<ProgressStep> step,
      SettlementMark settled) {
    long read = step.map(ProgressStep::readThrough).orElse(ProgressStep.NOTHING_READ);
    Column version = col(ArchiveColumns.COMMIT_VERSION);
    // What was imported no stream reads.
    Column unread = version.gt(lit(read)).and(col(ArchiveColumns.IMPORT_ID).isNull());
    Row counts =
        kept.events(
                format.readWithCommitVersions(tables.archive(), format.version(tables.archive())))
            .filter(col(ArchiveColumns.EVENT_DATE).lt(lit(day)))
            .agg(count_if(unread), count_if(version.gt(lit(settled.archiveVersion()))))
            .head();
    rule.requireRead(day, counts.getLong(0), counts.getLong(1));
  }

  /**
   * Deletes what was planned, after a second look at what has come since, and gives way where
   * another writer has changed it meanwhile, or settled or undone anything.
   *
   * @param step the stream's newest
   * @param newest settlement or undoing that was planned from
   * @throws SpecException if records of these days have come since the plan
   */
  ExpiredDays delete(ExpiredDays planned, Optional<ProgressStep> step, Optional<Adopted> newest) {
    if (planned.days() == 0) {
      return planned;
    } else if (!new SettlementMarks(format, tables.aggregates()).newest().equals(newest)) {
      return left(planned);
    }
    ExpiredDays now = plan(planned.retention(), step, newest);
    if (now.days() == 0) {
      return now;
    }
    try {
      KeptArchive.deleteBefore(format, tables.archive(), now.keptFrom().orElseThrow());
      return now;
    } catch (ConflictException overtaken) {
      return left(planned);
    }
  }

  private ExpiredDays left(ExpiredDays planned) {
    return ExpiredDays.none(planned.retention(), KeptArchive.of(format, tables.archive()).from());
  }
}
