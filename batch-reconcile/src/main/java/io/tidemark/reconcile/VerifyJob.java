package io.tidemark.reconcile;

import io.tidemark.merge.SettlementMark;
import io.tidemark.merge.SettlementMarks;
import io.tidemark.merge.SettlementMarks.Adopted;
import io.tidemark.reconcile.SettlePlan.Step;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.time.WindowEnds;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.PipelineViews;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.journal.ProgressJournal;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;

/**
 * The job {@code verify}: recounts everything that is settled from the archive version that the
 * newest settlement names, and compares both ways. Leaves frozen windows out. Writes nothing.
 */
public final class VerifyJob {

  private static final int SHOWN_DIFFERENCES = 20;

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final ProgressJournal progress;

  public VerifyJob(
      SparkSession spark,
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      Clock clock) {
    this.spark = spark;
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.progress = new ProgressJournal(spark, format, tables.progress(), clock);
  }

  /**
   * What a verification found.
   *
   * @param settlement the newest settlement, whose boundary and archive version were used
   * @param counts rows by kind, memberships by fate, as the ledger names them
   * @param balance of each settled window
   * @param kept windows that it freezes are in none of these
   * @param differences some of the rows that differ, the largest changes of event counts first
   */
  public record Verification(
      SettlementMark settlement,
      Map<String, Long> counts,
      WindowBalance balance,
      KeptArchive kept,
      List<RowDifference> differences) {

    public Verification {
      counts = Map.copyOf(counts);
      differences = List.copyOf(differences);
    }

    /** How many settled rows are not what a recount gives. */
    public long differing() {
      return count("corrected") + count("missing") + count("phantom");
    }

    public long count(String name) {
      return counts.getOrDefault(name, 0L);
    }
  }

  /** Verifies; empty where nothing is settled yet. */
  public Optional<Verification> run() {
    long tableVersion = format.version(tables.aggregates());
    Optional<SettlementMark> newest =
        new SettlementMarks(format, tables.aggregates()).newestAt(tableVersion).map(Adopted::mark);
    return newest.filter(SettlementMark::settlesAnything).map(mark -> verify(mark, tableVersion));
  }

  private Verification verify(SettlementMark mark, long tableVersion) {
    Step all = new Step.ClosedWindows(WindowEnds.through(mark.settledThrough()));
    KeptArchive kept = KeptArchive.of(format, tables);
    Recount recount =
        new Recount(
            spec,
            format.readThrough(tables.archive(), mark.archiveVersion()),
            format.read(tables.aggregates(), tableVersion),
            StreamBoundsReader.read(progress, progress.newest())
                .settledThrough(mark.settledThrough()),
            Optional.empty(),
            kept);
    try (ClassifiedRows classified =
        ClassifiedRows.of(
            recount.classified(List.of(all), Optional.empty()), Optional.empty(), spec)) {
      return new Verification(
          mark,
          classified.countsByName(),
          WindowBalance.of(
              classified.rows(),
              kept.recountable(
                  spark.sql(new PipelineViews(spec, tables, format::relation).corrections()),
                  AggregateColumns.WINDOW_START),
              spec),
          kept,
          classified.differences() == 0
              ? List.of()
              : RowDifference.largest(classified.rows(), spec, SHOWN_DIFFERENCES));
    }
  }
}
