package io.tidemark.tables.journal;

import static org.apache.spark.sql.functions.col;

import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.Generation;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;

/** The table generations: the pointer that says which build readers see. */
public final class GenerationJournal {

  private static final String LIVE = "live";

  private final SparkSession spark;
  private final TableFormat format;
  private final TablePath table;

  public GenerationJournal(SparkSession spark, TableFormat format, TablePath table) {
    this.spark = spark;
    this.format = format;
    this.table = table;
  }

  /** The generation that readers see; empty before {@code init} has finished. */
  public Optional<GenerationRow> live() {
    return format.read(table).filter(col("state").equalTo(LIVE)).collectAsList().stream()
        .map(
            row ->
                new GenerationRow(
                    new Generation(Integer.parseInt(row.<String>getAs("generation").substring(1))),
                    row.getAs("archive_fingerprint"),
                    row.getAs("fingerprint"),
                    row.getAs("definition"),
                    Times.instant(row.getAs("promoted_at"))))
        .findFirst();
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
        CommitLabel.ofSeveralWriters("init", 1, "{}"));
  }
}
