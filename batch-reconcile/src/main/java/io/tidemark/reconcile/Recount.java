package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.tidemark.reconcile.SettlePlan.Step;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.Aggregation;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.computation.Memberships;
import io.tidemark.spec.computation.StreamBounds;
import io.tidemark.spec.time.WindowEnds;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.VersionRange;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Recounts a part of the archive at a pinned version and compares it with the aggregates at a
 * pinned version. Reads only the archive days that the part's windows reach into, and only the
 * aggregates' partitions that hold them.
 */
public final class Recount {

  private static final String WINDOW_END = Memberships.WINDOW + ".end";

  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final long archiveVersion;
  private final long tableVersion;
  private final StreamBounds bounds;

  /**
   * @param bounds what the stream had closed at each commit of the archive
   */
  public Recount(
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      long archiveVersion,
      long tableVersion,
      StreamBounds bounds) {
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.archiveVersion = archiveVersion;
    this.tableVersion = tableVersion;
    this.bounds = bounds;
  }

  /** The step's rows of {@link Classification}. */
  public Dataset<Row> classified(Step step) {
    if (step instanceof Step.ClosedWindows closed) {
      return closed(closed.ends());
    }
    Step.DirtyPairs dirty = (Step.DirtyPairs) step;
    return dirty(dirty.commits(), dirty.settledThrough());
  }

  /** Of all windows that end in the range. */
  public Dataset<Row> closed(WindowEnds ends) {
    Dataset<Row> archive =
        archive().filter(col(ArchiveColumns.EVENT_DATE).leq(lit(date(ends.through()))));
    Dataset<Row> current =
        aggregates()
            .filter(col(AggregateColumns.WINDOW_END).leq(lit(ends.through())))
            .filter(partition().leq(lit(partitionOf(ends.through()))));
    Column inRange = col(WINDOW_END).leq(lit(ends.through()));
    if (ends.after().isPresent()) {
      Instant after = ends.after().get();
      LocalDate firstDay = date(after.minus(spec.window().size()));
      archive = archive.filter(col(ArchiveColumns.EVENT_DATE).geq(lit(firstDay)));
      current =
          current
              .filter(col(AggregateColumns.WINDOW_END).gt(lit(after)))
              .filter(partition().geq(lit(partitionOf(after.plusMillis(1)))));
      inRange = inRange.and(col(WINDOW_END).gt(lit(after)));
    }
    Dataset<Row> memberships = Memberships.of(archive, spec).filter(inRange);
    return Classification.of(Aggregation.ofMemberships(memberships, spec, bounds), current, spec);
  }

  /** Of the pairs (window, key) that have memberships of events which these commits added. */
  private Dataset<Row> dirty(VersionRange commits, Instant settledThrough) {
    Dataset<Row> added =
        Memberships.of(format.inserts(tables.archive(), commits), spec)
            .filter(col(WINDOW_END).leq(lit(settledThrough)));
    DirtyPairs pairs = DirtyPairs.of(added, spec);
    Dataset<Row> archive =
        archive().filter(col(ArchiveColumns.EVENT_DATE).isin(pairs.eventDays().toArray()));
    Dataset<Row> memberships =
        pairs.only(Memberships.of(archive, spec), Memberships.WINDOW + ".start");
    Object[] partitions =
        pairs.partitions().stream().map(this::partitionValue).toArray(Object[]::new);
    Dataset<Row> current =
        pairs.only(
            aggregates().filter(partition().isin(partitions)), AggregateColumns.WINDOW_START);
    return Classification.of(Aggregation.ofMemberships(memberships, spec, bounds), current, spec);
  }

  private Dataset<Row> archive() {
    return format.readWithCommitVersions(tables.archive(), archiveVersion);
  }

  private Dataset<Row> aggregates() {
    return format.read(tables.aggregates(), tableVersion);
  }

  private Column partition() {
    return col(spec.partition().columnName());
  }

  /** The partition that holds windows with this end, as its column has it. */
  private Object partitionOf(Instant windowEnd) {
    return partitionValue(spec.partition().partitionOf(windowEnd));
  }

  private Object partitionValue(Instant start) {
    return switch (spec.partition()) {
      case DAY -> date(start);
      case HOUR -> start;
    };
  }

  private static LocalDate date(Instant instant) {
    return instant.atZone(ZoneOffset.UTC).toLocalDate();
  }
}
