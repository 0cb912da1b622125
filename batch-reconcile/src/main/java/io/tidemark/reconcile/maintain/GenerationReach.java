package io.tidemark.reconcile.maintain;

import io.tidemark.merge.SettlementMarks;
import io.tidemark.merge.SettlementMarks.Adopted;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.journal.ProgressJournal;
import io.tidemark.tables.journal.ProgressStep;
import java.time.Clock;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;

/**
 * How far a generation has come in the archive.
 *
 * @param step its stream's newest; where it has not begun, one that has read all that it will skip
 * @param newest its newest settlement or undoing
 */
record GenerationReach(
    ServedGeneration generation, Optional<ProgressStep> step, Optional<Adopted> newest) {

  /** As it is now. Cost: small reads of its logs. */
  static GenerationReach of(
      SparkSession spark, TableFormat format, Clock clock, ServedGeneration generation) {
    if (!format.exists(generation.tables().progress())) {
      // A build that was killed before its tables were made.
      return new GenerationReach(generation, notBegun(generation), Optional.empty());
    }
    return new GenerationReach(
        generation,
        new ProgressJournal(spark, format, generation.tables().progress(), clock)
            .newest()
            .filter(ProgressStep::isOfStream)
            .or(() -> notBegun(generation)),
        new SettlementMarks(format, generation.tables().aggregates()).newest());
  }

  private static Optional<ProgressStep> notBegun(ServedGeneration generation) {
    long first = generation.row().start().firstVersion();
    return first == 0 ? Optional.empty() : Optional.of(ProgressStep.opening(1, "not begun", first));
  }

  /** The archive's version that its stream has read through; -1: none. */
  long readThrough() {
    return step.map(ProgressStep::readThrough).orElse(ProgressStep.NOTHING_READ);
  }
}
