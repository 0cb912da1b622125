package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.tidemark.merge.SettlementMark;
import io.tidemark.reconcile.SettlePlan.Step;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.Aggregation;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.computation.Memberships;
import io.tidemark.spec.computation.StreamBounds;
import io.tidemark.spec.time.WindowEnds;
import io.tidemark.tables.KeptArchive;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Recounts a part of the archive at a pinned version and compares it with the aggregates at a
 * pinned version. Reads only the archive days that the part's windows reach into, and only the
 * aggregates' partitions that hold them.
 */
public final class Recount {

  private final PipelineSpec spec;
  // Each read once: a pinned version's list of files is worked out anew for every reader.
  private final Dataset<Row> archive;
  private final Dataset<Row> aggregates;
  private final StreamBounds bounds;
  private final Optional<SettlementMark> last;
  private final KeptArchive kept;
  private final PartitionColumn partition;

  /**
   * @param archive at a pinned version, with the commit that added each row
   * @param aggregates at a pinned version
   * @param bounds what the stream had closed at each commit of the archive
   * @param last the settlement whose ledger row has counted the memberships of settled windows up
   *     to its archive version; empty: none are counted
   * @param kept asked for after the archive was pinned: frozen windows are in no part
   */
  public Recount(
      PipelineSpec spec,
      Dataset<Row> archive,
      Dataset<Row> aggregates,
      StreamBounds bounds,
      Optional<SettlementMark> last,
      KeptArchive kept) {
    this.spec = spec;
    this.archive = kept.events(archive);
    this.aggregates = aggregates;
    this.bounds = bounds;
    this.last = last;
    this.kept = kept;
    this.partition = new PartitionColumn(spec.partition());
  }

  /** Memberships to recount, and the rows of the same windows and keys. */
  private record Part(Dataset<Row> memberships, Dataset<Row> current) {

    Part and(Part other) {
      return new Part(
          memberships.unionByName(other.memberships), current.unionByName(other.current));
    }
  }

  /**
   * The steps' rows of {@link Classification}.
   *
   * @param pairs what a step of dirty pairs is about
   */
  Dataset<Row> classified(List<Step> steps, Optional<DirtyPairs> pairs) {
    Part all = steps.stream().map(step -> part(step, pairs)).reduce(Part::and).orElseThrow();
    Dataset<Row> memberships = kept.recountable(all.memberships(), Memberships.WINDOW_START);
    return Classification.of(
        Aggregation.ofMemberships(memberships, uncounted(), spec, bounds),
        kept.recountable(all.current(), AggregateColumns.WINDOW_START),
        spec);
  }

  /**
   * The exact rows of whole partitions, as {@link Aggregation#ofMemberships} has them; compared
   * with nothing.
   */
  public Dataset<Row> exact(NavigableSet<Instant> partitions) {
    return Aggregation.ofMemberships(
        kept.recountable(whole(partitions).memberships(), Memberships.WINDOW_START),
        uncounted(),
        spec,
        bounds);
  }

  private Column uncounted() {
    return last.map(
            mark ->
                col(Memberships.WINDOW_END)
                    .gt(lit(mark.settledThrough()))
                    .or(col(ArchiveColumns.COMMIT_VERSION).gt(lit(mark.archiveVersion()))))
        .orElse(lit(true));
  }

  private Part part(Step step, Optional<DirtyPairs> pairs) {
    if (step instanceof Step.ClosedWindows closed) {
      return closed(closed.ends());
    } else if (step instanceof Step.DirtyPairs dirty) {
      return dirty(dirty.pairs().navigableKeySet(), pairs.orElseThrow());
    }
    return whole(((Step.WholePartitions) step).partitions());
  }

  private Part closed(WindowEnds ends) {
    Column events = col(ArchiveColumns.EVENT_TIME).lt(lit(ends.through()));
    Column days = col(ArchiveColumns.EVENT_DATE).leq(lit(lastDay(ends.through())));
    Column inRange = col(Memberships.WINDOW_END).leq(lit(ends.through()));
    Column rows = col(AggregateColumns.WINDOW_END).leq(lit(ends.through()));
    Column partitions = partition.endsThrough(ends.through());
    if (ends.after().isPresent()) {
      Instant after = ends.after().get();
      Instant first = spec.window().firstStartOfEndAfter(after);
      events = events.and(col(ArchiveColumns.EVENT_TIME).geq(lit(first)));
      days = days.and(col(ArchiveColumns.EVENT_DATE).geq(lit(date(first))));
      inRange = inRange.and(col(Memberships.WINDOW_END).gt(lit(after)));
      rows = rows.and(col(AggregateColumns.WINDOW_END).gt(lit(after)));
      partitions = partitions.and(partition.endsAfter(after));
    }
    return new Part(
        Memberships.of(archive.filter(days).filter(events), spec).filter(inRange),
        aggregates.filter(rows).filter(partitions));
  }

  private Part dirty(NavigableSet<Instant> partitions, DirtyPairs pairs) {
    NavigableSet<LocalDate> days = new TreeSet<>();
    partitions.forEach(start -> days.addAll(days(pairs.firstStart(start), start)));
    Column chosen = partition.in(partitions);
    Dataset<Row> memberships = inPartitions(days, partitions);
    return new Part(
        pairs.only(memberships, Memberships.WINDOW_START),
        pairs.only(aggregates.filter(chosen), AggregateColumns.WINDOW_START));
  }

  private Part whole(NavigableSet<Instant> partitions) {
    NavigableSet<LocalDate> days = new TreeSet<>();
    partitions.forEach(
        start -> days.addAll(days(spec.window().firstStartOfEndAfter(start), start)));
    return new Part(inPartitions(days, partitions), aggregates.filter(partition.in(partitions)));
  }

  private Dataset<Row> inPartitions(
      NavigableSet<LocalDate> eventDays, NavigableSet<Instant> partitions) {
    Dataset<Row> events = archive.filter(col(ArchiveColumns.EVENT_DATE).isin(eventDays.toArray()));
    return Memberships.of(events, spec)
        .filter(
            partition.in(
                AggregateColumns.partition(spec.partition(), col(Memberships.WINDOW_END)),
                partitions));
  }

  /** The days of a partition's events, if the first of its windows starts then. */
  private NavigableSet<LocalDate> days(Instant firstStart, Instant partitionStart) {
    LocalDate last = lastDay(partitionStart.plus(spec.partition().length()));
    return date(firstStart)
        .datesUntil(last.plusDays(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The last day of the events of windows that end at or before an instant. */
  private static LocalDate lastDay(Instant windowEnd) {
    return date(windowEnd.minusMillis(1));
  }

  private static LocalDate date(Instant instant) {
    return instant.atZone(ZoneOffset.UTC).toLocalDate();
  }
}
