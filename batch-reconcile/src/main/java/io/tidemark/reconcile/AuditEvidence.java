package io.tidemark.reconcile;

import java.time.Instant;
import java.util.List;

/**
 * The numbers from which a settlement is judged before it is adopted.
 *
 * @param totals of the counts and sums, over the touched partitions
 * @param newlySettled the partitions that are settled for the first time, as a whole
 */
public record AuditEvidence(
    Rows rows, List<Total> totals, List<PartitionRows> newlySettled, Records records) {

  public AuditEvidence {
    totals = List.copyOf(totals);
    newlySettled = List.copyOf(newlySettled);
  }

  /**
   * Rows of the touched partitions, as far as they are settled afterwards.
   *
   * @param shown the table's rows before, those included that are not recounted
   * @param corrected of the shown ones
   * @param missing not among the shown ones
   * @param phantom of the shown ones
   */
  public record Rows(long shown, long corrected, long missing, long phantom) {

    /** The rows afterwards. */
    long settled() {
      return shown - phantom + missing;
    }

    /** The rows of either side. */
    long all() {
      return shown + missing;
    }
  }

  /**
   * The total of one stored count or sum.
   *
   * @param size the sum of the values' sizes, without their signs: of the shown rows as they were,
   *     of the missing ones as they are recounted
   * @param change what is added to the values of the shown rows, with its sign
   */
  public record Total(String measure, double size, double change) {}

  /**
   * A partition's recounted rows.
   *
   * @param earlier the rows of the same day or hour on the days before, where any are settled
   */
  public record PartitionRows(Instant start, long rows, List<Long> earlier) {
    public PartitionRows {
      earlier = List.copyOf(earlier);
    }
  }

  /**
   * Records archived since the settlement before.
   *
   * @param rejected those with a problem
   */
  public record Records(long archived, long rejected) {}
}
