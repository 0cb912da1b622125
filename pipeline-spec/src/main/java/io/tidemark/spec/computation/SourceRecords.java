package io.tidemark.spec.computation;

import io.tidemark.spec.EventSpec;
import io.tidemark.spec.Source;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * What a source handed over, parsed, and not yet judged: a row for each record, good or not. Here
 * the sources differ; what comes after knows none of them.
 */
final class SourceRecords {

  /** The record as text; null where there is nothing to show. */
  static final String RAW = "_tidemark_raw";

  /** When the source could first hand it over. */
  static final String ARRIVED = "_tidemark_arrived";

  /** A {@link RecordProblem}'s label where the bytes are no event; else null. */
  static final String DEFECT = "_tidemark_defect";

  private SourceRecords() {}

  /**
   * Parses.
   *
   * @param records as the source's reader in Spark gives them: see {@link ArchiveRows#of}
   * @return rows of {@link #RAW}, {@link #ARRIVED}, {@link #DEFECT}, and the archive's {@code
   *     source_position} and {@code event}
   */
  static Dataset<Row> parsed(Dataset<Row> records, EventSpec event, Source source) {
    return source instanceof Source.Kafka kafka
        ? KafkaParser.parsed(records, event, kafka)
        : FileParser.parsed(records, event, source);
  }

  /** The same of history in files, with positions as the source's own records have them. */
  static Dataset<Row> history(Dataset<Row> records, EventSpec event, Source source) {
    return FileParser.parsed(records, event, source);
  }
}
