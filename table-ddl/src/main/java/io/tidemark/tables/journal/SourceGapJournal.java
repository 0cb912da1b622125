package io.tidemark.tables.journal;

import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * The table source_gaps. A gap stands in it from before ingest goes on behind it, and is open until
 * a person has acknowledged it.
 */
public final class SourceGapJournal {

  private static final String ACCEPTED = "accepted";
  private static final String ACKNOWLEDGED = "acknowledged";

  private static final Comparator<SourceGap> ORDER =
      Comparator.comparing(SourceGap::topic)
          .thenComparing(SourceGap::partition)
          .thenComparing(SourceGap::first)
          .thenComparing(SourceGap::end);

  private final SparkSession spark;
  private final TableFormat format;
  private final TablePath table;
  private final Clock clock;

  public SourceGapJournal(SparkSession spark, TableFormat format, TablePath table, Clock clock) {
    this.spark = spark;
    this.format = format;
    this.table = table;
    this.clock = clock;
  }

  /** All gaps that were accepted. None where there is no table: the source cannot lose records. */
  public List<SourceGap> all() {
    return in(ACCEPTED, rows());
  }

  /** Those that nobody has acknowledged. */
  public List<SourceGap> open() {
    List<Row> rows = rows();
    List<SourceGap> open = new ArrayList<>(in(ACCEPTED, rows));
    open.removeAll(in(ACKNOWLEDGED, rows));
    return open;
  }

  /** Notes that ingest goes on behind these; those that stand there already are not noted again. */
  public void accept(List<SourceGap> gaps) {
    List<SourceGap> fresh = new ArrayList<>(gaps);
    fresh.removeAll(all());
    append(fresh, ACCEPTED, null);
  }

  /** Notes that a person has seen all that are open. */
  public List<SourceGap> acknowledge(String reason) {
    List<SourceGap> open = open();
    append(open, ACKNOWLEDGED, reason);
    return open;
  }

  private List<Row> rows() {
    return format.exists(table) ? format.read(table).collectAsList() : List.of();
  }

  private static List<SourceGap> in(String state, List<Row> rows) {
    return rows.stream()
        .filter(row -> row.<String>getAs("state").equals(state))
        .map(
            row ->
                new SourceGap(
                    row.getAs("topic"),
                    row.<Integer>getAs("partition"),
                    row.<Long>getAs("first_offset"),
                    row.<Long>getAs("end_offset")))
        .sorted(ORDER)
        .toList();
  }

  private void append(List<SourceGap> gaps, String state, @Nullable String reason) {
    if (gaps.isEmpty()) {
      return;
    }
    List<Row> rows =
        gaps.stream()
            .map(
                gap ->
                    RowFactory.create(
                        gap.topic(),
                        gap.partition(),
                        gap.first(),
                        gap.end(),
                        state,
                        reason,
                        Times.sql(clock.instant())))
            .toList();
    format.append(table, spark.createDataFrame(rows, format.read(table).schema()));
  }
}
