package io.tidemark.reconcile;

import io.tidemark.merge.SettlementMark;
import io.tidemark.merge.SettlementMarks;
import io.tidemark.merge.SettlementMarks.Adopted;
import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;

/** The commits of settlements and of their undoing to the aggregates, each with its ledger row. */
public final class SettlementCommits {

  private final TableFormat format;
  private final TablePath aggregates;
  private final Ledger ledger;
  private final SettlementMarks marks;

  /** Those of a generation. */
  public static SettlementCommits of(
      SparkSession spark, PipelineTables tables, TableFormat format, Clock clock) {
    return new SettlementCommits(
        format, tables.aggregates(), new Ledger(spark, format, tables.settlements(), clock));
  }

  private SettlementCommits(TableFormat format, TablePath aggregates, Ledger ledger) {
    this.format = format;
    this.aggregates = aggregates;
    this.ledger = ledger;
    this.marks = new SettlementMarks(format, aggregates);
  }

  /** As {@link SettlementMarks#newestAt}: for a version not older than any asked for before. */
  Optional<Adopted> newestAt(long version) {
    return marks.newestAt(version);
  }

  /** The newest commit; its ledger row is written now where a crash has left it out. */
  public Optional<Adopted> newestInLedger() {
    Optional<Adopted> newest = marks.newest();
    newest.ifPresent(ledger::write);
    return newest;
  }

  /**
   * Commits by one write, or without a row where there is none to change, and writes the ledger's
   * row.
   *
   * @param write to the aggregates, under the label; empty: there is no row to change
   * @return the commit; empty where another one had taken the number, so that nothing was changed
   */
  public Optional<Adopted> commit(SettlementMark mark, Optional<Consumer<CommitLabel>> write) {
    write
        .orElse(label -> format.append(aggregates, format.read(aggregates).limit(0), label))
        .accept(
            CommitLabel.ofSeveralWriters(
                SettlementMark.APPLICATION, mark.settlement(), mark.toJson()));
    Optional<Adopted> ours =
        marks.newest().filter(newest -> newest.mark().attempt().equals(mark.attempt()));
    ours.ifPresent(ledger::write);
    return ours;
  }
}
