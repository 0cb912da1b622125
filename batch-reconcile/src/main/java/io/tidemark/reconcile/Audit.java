package io.tidemark.reconcile;

import io.tidemark.merge.Breach;
import io.tidemark.reconcile.AuditEvidence.PartitionRows;
import io.tidemark.reconcile.AuditEvidence.Records;
import io.tidemark.reconcile.AuditEvidence.Rows;
import io.tidemark.reconcile.AuditEvidence.Total;
import io.tidemark.spec.Percentage;
import io.tidemark.spec.SettleLimits;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Judges a settlement before it is adopted: five small rules, each with the evidence for its word.
 * Pure. What broken limits mean, to be held or to be told, is not decided here.
 *
 * <p>The rules are made so that nights out of the ordinary, with nothing wrong in them, break no
 * limit by their arithmetic:
 *
 * <ul>
 *   <li><b>A few dirty pairs.</b> Almost all recounted rows are corrected then, as they were chosen
 *       for having new events. So shares are taken of all rows of the touched partitions, also of
 *       those that are not recounted: 3 corrected rows of a settled day of 1,000 are 0.3%.
 *   <li><b>A gap of the stream.</b> Its rows are missing: nothing was shown that could have been
 *       wrong. They are no corrected rows, and count in a total with their exact value on both
 *       sides. But they are settled rows, so that the few rows at the gap's edges, which hold a
 *       part of their events, are judged against the whole day.
 *   <li><b>The first settlement.</b> It has no earlier days. Rows are compared only with days that
 *       a settlement before has settled, and only from three such days on. So it is when
 *       settlements were not run for days: each partition is compared for itself.
 *   <li><b>A gap of the source.</b> A day without any row neither is compared nor serves to
 *       compare. Of the others the median is taken, which the days at the gap's edges hardly move.
 *       (A day cut short by the gap is a change of rows, though, and its cause is for a person to
 *       know.)
 *   <li><b>Tiny samples.</b> Of fewer than {@value #ENOUGH_ROWS} rows or {@value #ENOUGH_RECORDS}
 *       records one or two are a large share: they are not judged.
 * </ul>
 */
public final class Audit {

  static final long ENOUGH_ROWS = 20;
  static final long ENOUGH_RECORDS = 100;
  static final int ENOUGH_DAYS = 3;

  private final SettleLimits limits;

  public Audit(SettleLimits limits) {
    this.limits = limits;
  }

  /** The limits that are broken, in the order of the documentation; none means: adopt. */
  public List<Breach> breaches(AuditEvidence evidence) {
    return Stream.of(
            limits.maxCorrectedShare().flatMap(limit -> corrected(limit, evidence.rows())),
            limits.maxTotalChange().flatMap(limit -> totals(limit, evidence)),
            limits.maxRowChange().flatMap(limit -> rows(limit, evidence.newlySettled())),
            limits.maxPhantomShare().flatMap(limit -> phantoms(limit, evidence.rows())),
            limits.maxProblemShare().flatMap(limit -> problems(limit, evidence.records())))
        .flatMap(Optional::stream)
        .toList();
  }

  /** Estimates, or settled values, that were there and were wrong. */
  private static Optional<Breach> corrected(Percentage limit, Rows rows) {
    return rows.settled() < ENOUGH_ROWS
        ? Optional.empty()
        : breach(
            "max-corrected-share",
            limit,
            (double) rows.corrected() / rows.settled(),
            "%d of the %d settled rows of the touched partitions are corrected"
                .formatted(rows.corrected(), rows.settled()));
  }

  /** Rows without an event behind them. With many of them the archive may have lost something. */
  private static Optional<Breach> phantoms(Percentage limit, Rows rows) {
    return rows.all() < ENOUGH_ROWS
        ? Optional.empty()
        : breach(
            "max-phantom-share",
            limit,
            (double) rows.phantom() / rows.all(),
            "%d of the %d rows of the touched partitions have no event in the archive"
                .formatted(rows.phantom(), rows.all()));
  }

  /**
   * The net change of a total, by measure. It is taken of the values without their signs: the total
   * of a measure that is as often negative as positive is close to zero, and any change of it
   * large.
   */
  private static Optional<Breach> totals(Percentage limit, AuditEvidence evidence) {
    if (evidence.rows().all() < ENOUGH_ROWS) {
      return Optional.empty();
    }
    return largest(
            evidence.totals().stream()
                .filter(total -> total.size() > 0 && Double.isFinite(relativeChange(total))),
            Audit::relativeChange)
        .flatMap(
            total ->
                breach(
                    "max-total-change",
                    limit,
                    relativeChange(total),
                    "the total of %s changes by %s, of %s in the touched partitions"
                        .formatted(
                            total.measure(),
                            Breach.rounded(total.change()),
                            Breach.rounded(total.size()))));
  }

  private static double relativeChange(Total total) {
    return Math.abs(total.change()) / total.size();
  }

  /** A day or hour with more or fewer rows than usual: the source may have lost or doubled some. */
  private static Optional<Breach> rows(Percentage limit, List<PartitionRows> partitions) {
    return largest(
            partitions.stream()
                .filter(
                    partition ->
                        partition.rows() > 0
                            && partition.earlier().size() >= ENOUGH_DAYS
                            && median(partition.earlier()) >= ENOUGH_ROWS),
            Audit::rowChange)
        .flatMap(
            partition ->
                breach(
                    "max-row-change",
                    limit,
                    rowChange(partition),
                    "the partition %s has %d rows, and in the median of the same one on %d earlier days %s"
                        .formatted(
                            partition.start(),
                            partition.rows(),
                            partition.earlier().size(),
                            Breach.rounded(median(partition.earlier())))));
  }

  private static double rowChange(PartitionRows partition) {
    double usual = median(partition.earlier());
    return Math.abs(partition.rows() - usual) / usual;
  }

  private static double median(List<Long> numbers) {
    List<Long> sorted = numbers.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2.0;
  }

  private static Optional<Breach> problems(Percentage limit, Records records) {
    return records.archived() < ENOUGH_RECORDS
        ? Optional.empty()
        : breach(
            "max-problem-share",
            limit,
            (double) records.rejected() / records.archived(),
            "%d of the %d records archived since the settlement before have a problem"
                .formatted(records.rejected(), records.archived()));
  }

  private static <T> Optional<T> largest(Stream<T> candidates, ToDoubleFunction<T> measure) {
    return candidates.max(Comparator.comparingDouble(measure));
  }

  private static Optional<Breach> breach(
      String rule, Percentage limit, double measured, String evidence) {
    return limit.isExceededBy(measured)
        ? Optional.of(new Breach(rule, limit, measured, evidence))
        : Optional.empty();
  }
}
