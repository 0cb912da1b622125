package io.tidemark.reconcile.generation;

import io.tidemark.reconcile.RowDifference;
import io.tidemark.spec.Percentage;
import io.tidemark.tables.Generation;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What two generations have of the same windows.
 *
 * @param from windows that start before it were left aside; empty: none were
 * @param through windows that end after it were left aside
 * @param settled whether all that was compared is settled in both: exact beside exact
 * @param rows by how they compare: {@link #EQUAL}, {@link #EXPECTED} (different, but only in
 *     measures that were expected to be), {@link #DIFFERENT}, {@link #ONLY_LIVE}, {@link
 *     #ONLY_OTHER}
 * @param differingByMeasure of the rows that both have, those in which the measure differs
 * @param totals by day of the window's end, of measures that can be summed
 * @param notShared measures that only one of them has, or with another type
 * @param incomparable why rows were not compared one by one, so that there are only totals
 * @param largest differing rows, those first that differ most in events, then in a measure; before:
 *     the live one's values, after: the other's
 */
public record Comparison(
    Generation live,
    Generation other,
    Optional<Instant> from,
    Instant through,
    boolean settled,
    Map<String, Long> rows,
    Map<String, Long> differingByMeasure,
    List<Total> totals,
    List<String> notShared,
    Optional<String> incomparable,
    List<RowDifference> largest,
    Percentage tolerance) {

  public static final String EQUAL = "equal";
  public static final String EXPECTED = "expected";
  public static final String DIFFERENT = "different";
  public static final String ONLY_LIVE = "only-live";
  public static final String ONLY_OTHER = "only-candidate";

  /** The sum of a measure over a day, as text; empty: no row, or null. */
  public record Total(
      LocalDate day, String measure, Optional<String> live, Optional<String> other) {

    public boolean same() {
      return live.equals(other);
    }
  }

  public Comparison {
    rows = new TreeMap<>(rows);
    differingByMeasure = new TreeMap<>(differingByMeasure);
    totals = List.copyOf(totals);
    notShared = List.copyOf(notShared);
    largest = List.copyOf(largest);
  }

  public long compared() {
    return rows.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Rows that differ, other than was expected. */
  public long differing() {
    return compared() - rows.getOrDefault(EQUAL, 0L) - rows.getOrDefault(EXPECTED, 0L);
  }

  /** Whether no more differs than is tolerated; never where there were no rows to compare. */
  public boolean isWithin() {
    return incomparable.isEmpty()
        && compared() > 0
        && !tolerance.isExceededBy((double) differing() / compared());
  }
}
