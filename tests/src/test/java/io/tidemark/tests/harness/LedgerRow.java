package io.tidemark.tests.harness;

import java.time.Instant;
import org.apache.spark.sql.Row;

/** A row of the ledger, as far as it depends on the events alone. */
public record LedgerRow(
    long settlement, Instant settledThrough, Kinds rows, Records records, Events events) {

  /** Rows by what the recount found. */
  public record Kinds(long agreed, long corrected, long missing, long phantom) {}

  /** Records archived since the settlement before. */
  public record Records(long archived, long rejected, long filtered, long considered) {}

  /** Memberships in the newly settled rows. */
  public record Events(
      long memberships,
      long counted,
      long duplicates,
      long estimated,
      long leftOut,
      long imported) {

    /** What the balance cannot explain: exact − estimate − left out − imported. */
    public long residual() {
      return counted - estimated - leftOut - imported;
    }
  }

  static LedgerRow of(Row row) {
    return new LedgerRow(
        number(row, "settlement"),
        ShownRow.instant(row, "settled_through"),
        new Kinds(
            number(row, "agreed"),
            number(row, "corrected"),
            number(row, "missing"),
            number(row, "phantom")),
        new Records(
            number(row, "archived"),
            number(row, "rejected"),
            number(row, "filtered"),
            number(row, "considered")),
        new Events(
            number(row, "memberships"),
            number(row, "counted"),
            number(row, "duplicates"),
            number(row, "estimated"),
            number(row, "left_out"),
            number(row, "imported")));
  }

  private static long number(Row row, String column) {
    return row.<Long>getAs(column);
  }
}
