package io.tidemark.reconcile.maintain;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;

import io.tidemark.merge.SettlementMark;
import io.tidemark.merge.SettlementMarks;
import io.tidemark.merge.SettlementMarks.Adopted;
import io.tidemark.reconcile.SettlementReach;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.Generation;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.PartitionFiles;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.journal.GenerationState;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;

/**
 * Deletes days of the archive that are older than the retention and that no generation still needs.
 * Their windows are frozen by the same commit. The files go with a later clean-up, once they are
 * older than the history.
 *
 * @param generations all that read the archive, as they are now
 */
record ArchiveExpiry(
    TablePath archive, TableFormat format, Supplier<List<GenerationReach>> generations) {

  /**
   * What there is to delete; writes nothing.
   *
   * @param all the generations, as they were at one time
   * @throws SpecException if the retention is too short, or a job has still to read some of it
   */
  ExpiredDays plan(Duration retention, List<GenerationReach> all) {
    all.forEach(one -> rule(one).require(retention));
    KeptArchive kept = KeptArchive.of(format, archive);
    List<Optional<LocalDate>> needed =
        all.stream().filter(one -> !isBuilding(one)).map(one -> keepFrom(retention, one)).toList();
    Optional<LocalDate> from =
        needed.stream().allMatch(Optional::isPresent)
            ? needed.stream()
                .flatMap(Optional::stream)
                .min(LocalDate::compareTo)
                // What has come since for days that are frozen goes with the next ones.
                .filter(day -> kept.from().isEmpty() || day.isAfter(kept.from().get()))
            : Optional.empty();
    List<PartitionFiles> old =
        from.map(
                day ->
                    format.files(archive).stream()
                        .filter(partition -> ExpiredDays.isBefore(day, partition))
                        .toList())
            .orElse(List.of());
    if (old.isEmpty()) {
      return ExpiredDays.none(retention, kept.from());
    }
    all.stream().filter(ArchiveExpiry::isBuilding).findFirst().ifPresent(ArchiveExpiry::refuse);
    all.forEach(one -> requireRead(kept, from.orElseThrow(), one));
    return ExpiredDays.of(retention, from.get(), old);
  }

  private static ArchiveRetention rule(GenerationReach one) {
    return new ArchiveRetention(one.generation().spec());
  }

  private static boolean isBuilding(GenerationReach one) {
    return one.generation().row().state() == GenerationState.BUILDING;
  }

  private static void refuse(GenerationReach building) {
    Generation generation = building.generation().generation();
    throw new SpecException(
        "Cannot delete days of the archive of %s: %s is being built from them. Run 'tidemark rebuild' until it is done, or give it up with 'tidemark retire … %s'. Nothing was changed."
            .formatted(building.generation().spec().name(), generation, generation));
  }

  /** The first day that a generation needs; empty: it needs all. */
  private Optional<LocalDate> keepFrom(Duration retention, GenerationReach one) {
    return settled(one)
        .flatMap(
            mark ->
                rule(one)
                    .keepFrom(retention, mark.settledThrough(), undoable(mark, one.generation())));
  }

  private static Optional<SettlementMark> settled(GenerationReach one) {
    return one.newest().map(Adopted::mark).filter(SettlementMark::settlesAnything);
  }

  /** The first window that undoing the settlement would change. */
  private Instant undoable(SettlementMark mark, ServedGeneration generation) {
    if (mark.isBuilt()) {
      // It goes with its generation.
      return Instant.MAX;
    }
    SettlementMarks history = new SettlementMarks(format, generation.tables().aggregates());
    try {
      Adopted inForce = history.of(mark.inForce());
      return SettlementReach.firstWindow(
          inForce.mark(),
          history.below(inForce),
          format.read(generation.tables().corrections()),
          generation.spec());
    } catch (UnsafeEnvironmentException outOfLog) {
      // It can't be undone any more, so nothing is kept for that.
      return Instant.MAX;
    }
  }

  /** Of days that are frozen nothing is read any more. */
  private void requireRead(KeptArchive kept, LocalDate day, GenerationReach one) {
    Column version = col(ArchiveColumns.COMMIT_VERSION);
    // What was imported no stream reads.
    Column unread = version.gt(lit(one.readThrough())).and(col(ArchiveColumns.IMPORT_ID).isNull());
    Row counts =
        kept.events(format.readWithCommitVersions(archive, format.version(archive)))
            .filter(col(ArchiveColumns.EVENT_DATE).lt(lit(day)))
            .agg(
                count_if(unread),
                count_if(version.gt(lit(settled(one).orElseThrow().archiveVersion()))))
            .head();
    rule(one).requireRead(day, one.generation().generation(), counts.getLong(0), counts.getLong(1));
  }

  /**
   * Deletes what was planned, after a second look at what has come since, and gives way where
   * another writer has changed it meanwhile, or settled, undone or begun to build anything.
   *
   * @throws SpecException if records of these days have come since the plan
   */
  ExpiredDays delete(ExpiredDays planned, List<GenerationReach> plannedFrom) {
    if (planned.days() == 0) {
      return planned;
    }
    List<GenerationReach> all = generations.get();
    if (!settlements(all).equals(settlements(plannedFrom))) {
      return left(planned);
    }
    ExpiredDays now = plan(planned.retention(), all);
    if (now.days() == 0) {
      return now;
    }
    try {
      KeptArchive.deleteBefore(format, archive, now.keptFrom().orElseThrow());
      return now;
    } catch (ConflictException overtaken) {
      return left(planned);
    }
  }

  private static List<Optional<Adopted>> settlements(List<GenerationReach> all) {
    return all.stream().map(GenerationReach::newest).toList();
  }

  private ExpiredDays left(ExpiredDays planned) {
    return ExpiredDays.none(planned.retention(), KeptArchive.of(format, archive).from());
  }
}
