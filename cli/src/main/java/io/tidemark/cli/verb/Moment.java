package io.tidemark.cli.verb;

import io.tidemark.reconcile.AsOfSettlement;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The moment that a verb shows: now, or as it was after a settlement. */
final class Moment {

  @Option(
      names = "--as-of-settlement",
      paramLabel = "N",
      description =
          "Show what was reported when settlement N had just been adopted, as long as the tables'"
              + " history is kept.")
  private @Nullable Long settlement;

  boolean isNow() {
    return settlement == null;
  }

  /** The tables and the time of it. */
  AsOfSettlement of(TableFormat format, PipelineTables tables, Clock clock) {
    if (settlement == null) {
      return new AsOfSettlement(format, clock);
    }
    if (settlement < 1) {
      throw new SpecException("Settlements are numbered from 1; " + settlement + " is none.");
    }
    return AsOfSettlement.of(format, tables, settlement);
  }
}
