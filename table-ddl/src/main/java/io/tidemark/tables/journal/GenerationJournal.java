package io.tidemark.tables.journal;

import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.VersionRange;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;

/** The table generations: the pointer that says which build readers see. */
public final class GenerationJournal {

  private static final String APPLICATION = "generations";

  private static final String LIVE = "live";

  /** The version of the table when it was created, before anything is written to it. */
  private static final long CREATED = 0;

  private final SparkSession spark;
  private final TableFormat format;
  private final TablePath table;

  public GenerationJournal(SparkSession spark, TableFormat format, TablePath table) {
    this.spark = spark;
    this.format = format;
    this.table = table;
  }

  /**
   * The generation that readers see; empty before {@code init} has finished. Read from the commit
   * that made it live, without a Spark job: every command asks for it.
   *
   * @throws UnsafeEnvironmentException if the tables are of another format than this release's
   */
  public Optional<GenerationRow> live() {
    long version = format.version(table);
    if (version == CREATED) {
      return Optional.empty();
    }
    return Optional.of(
        format
            .newest(table, VersionRange.through(version), APPLICATION)
            .map(commit -> GenerationRow.parse(commit.message()))
            .orElseThrow(
                () ->
                    new UnsafeEnvironmentException(
                        "Cannot tell which generation is live: no commit of "
                            + table
                            + " says so. Was it written by another release or tool? Use that, or"
                            + " ingest again into a new warehouse path.")));
  }

  /** Makes the first generation live; of several calls only one takes effect. */
  public void begin(GenerationRow first) {
    Row row =
        RowFactory.create(
            first.generation().name(),
            LIVE,
            first.archiveFingerprint(),
            first.fingerprint(),
            first.definition(),
            Times.sql(first.promotedAt()));
    format.append(
        table,
        spark.createDataFrame(List.of(row), format.read(table).schema()),
        CommitLabel.ofSeveralWriters(APPLICATION, first.generation().number(), first.toJson()));
  }
}
