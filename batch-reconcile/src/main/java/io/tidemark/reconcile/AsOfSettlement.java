package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.col;

import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.PinnedTables;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.journal.Times;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;

/**
 * The tables of a pipeline as they were when a settlement had just been adopted, or another undone
 * under its number: what was reported then.
 *
 * @param tables for jobs that read
 * @param clock stands still at that moment
 */
public record AsOfSettlement(TableFormat tables, Clock clock) {

  /**
   * Looks the settlement up in the ledger. The aggregates and the archive are those it names; the
   * stream's progress is that of the moment of its commit.
   *
   * @throws SpecException if the ledger has no such settlement
   * @throws io.tidemark.spec.error.UnsafeEnvironmentException if the history of the tables no
   *     longer reaches back so far
   */
  public static AsOfSettlement of(TableFormat format, PipelineTables tables, long settlement) {
    List<Row> found =
        format
            .read(tables.settlements())
            .filter(col("settlement").equalTo(settlement))
            .limit(1)
            .collectAsList();
    if (found.isEmpty()) {
      throw new SpecException(
          "There is no settlement "
              + settlement
              + " in the ledger "
              + tables.settlements()
              + ". 'tidemark status' names the newest.");
    }
    Row row = found.get(0);
    long aggregates = row.<Long>getAs("table_version");
    Map<TablePath, Long> versions = new HashMap<>();
    versions.put(tables.aggregates(), aggregates);
    versions.put(tables.archive(), row.<Long>getAs("archive_version"));
    versions.put(
        tables.progress(), format.versionWhen(tables.progress(), tables.aggregates(), aggregates));
    versions.put(tables.settlements(), Ledger.versionOf(format, tables.settlements(), settlement));
    // Says so now if one is no longer kept, not in the middle of a query.
    versions.forEach(format::read);
    return new AsOfSettlement(
        new PinnedTables(format, versions),
        Clock.fixed(Times.instant(row.getAs("committed_at")), ZoneOffset.UTC));
  }
}
