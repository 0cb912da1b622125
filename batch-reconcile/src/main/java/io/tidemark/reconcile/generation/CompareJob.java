package io.tidemark.reconcile.generation;

import static org.apache.spark.sql.functions.abs;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.greatest;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.to_json;
import static org.apache.spark.sql.functions.when;

import io.tidemark.merge.EvaluatedRows;
import io.tidemark.merge.SettlementMark;
import io.tidemark.merge.SettlementMarks;
import io.tidemark.reconcile.RowDifference;
import io.tidemark.spec.ColumnName;
import io.tidemark.spec.Key;
import io.tidemark.spec.Measure;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.MeasureColumns;
import io.tidemark.spec.computation.StoredColumn;
import io.tidemark.spec.error.DataRefusedException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.time.PartitionUnit;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.journal.ProgressJournal;
import io.tidemark.tables.journal.ProgressStep;
import java.sql.Date;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.NumericType;
import org.jspecify.annotations.Nullable;

/**
 * The job {@code compare}: two generations row by row, over windows that are done in both, by the
 * values that people see. Reads each of them at one version; writes nothing.
 */
public final class CompareJob {

  private static final String KIND = "kind";
  private static final String LIVE = "live";
  private static final String OTHER = "other";

  private final SparkSession spark;
  private final TableFormat format;
  private final Clock clock;

  public CompareJob(SparkSession spark, TableFormat format, Clock clock) {
    this.spark = spark;
    this.format = format;
    this.clock = clock;
  }

  /** A measure that both have, with the type that people see. */
  private record Shared(String name, boolean summable, DataType type) {

    boolean floating() {
      return type instanceof DoubleType || type instanceof FloatType;
    }
  }

  /**
   * Compares.
   *
   * @throws DataRefusedException if no window is settled in both and none was asked for
   * @throws SpecException if windows are asked for that one of them is not done with
   */
  public Comparison run(ServedGeneration live, ServedGeneration other, CompareRequest request) {
    Instant settled = settledInBoth(live, other).orElse(SettlementMark.NOTHING_SETTLED);
    Instant through = through(live, other, request, settled);
    Optional<Instant> from = later(request.from(), inBoth(live, other).start());
    Dataset<Row> liveRows = shown(live, from, through);
    Dataset<Row> otherRows = shown(other, from, through);
    List<Shared> shared = shared(live.spec(), other.spec(), liveRows, otherRows);
    requireShared(request.expected(), shared);
    Optional<String> incomparable = incomparable(live.spec(), other.spec());
    List<Comparison.Total> totals = totals(liveRows, otherRows, shared);
    List<String> notShared = notShared(live.spec(), other.spec(), shared);
    if (incomparable.isPresent()) {
      return new Comparison(
          live.generation(),
          other.generation(),
          from,
          through,
          !through.isAfter(settled),
          Map.of(),
          Map.of(),
          totals,
          notShared,
          incomparable,
          List.of(),
          request.tolerance());
    }
    List<Column> counts = new ArrayList<>();
    List<String> kinds =
        List.of(
            Comparison.EQUAL,
            Comparison.EXPECTED,
            Comparison.DIFFERENT,
            Comparison.ONLY_LIVE,
            Comparison.ONLY_OTHER);
    kinds.forEach(kind -> counts.add(count_if(col(KIND).equalTo(kind)).as("kind " + kind)));
    Column inBoth = col(LIVE).isNotNull().and(col(OTHER).isNotNull());
    shared.forEach(
        measure ->
            counts.add(count_if(inBoth.and(not(equal(measure)))).as("measure " + measure.name())));
    try (EvaluatedRows joined =
        EvaluatedRows.of(
            joined(liveRows, otherRows, live.spec(), shared, request.expected()),
            live.spec().partition(),
            counts.toArray(Column[]::new))) {
      Map<String, Long> rows = new LinkedHashMap<>();
      kinds.forEach(kind -> rows.put(kind, joined.number("kind " + kind)));
      Map<String, Long> byMeasure = new LinkedHashMap<>();
      shared.forEach(m -> byMeasure.put(m.name(), joined.number("measure " + m.name())));
      return new Comparison(
          live.generation(),
          other.generation(),
          from,
          through,
          !through.isAfter(settled),
          rows,
          byMeasure,
          totals,
          notShared,
          Optional.empty(),
          largest(joined.rows(), live.spec(), shared, request.most()),
          request.tolerance());
    }
  }

  /**
   * The rows that differ, of all windows, done or not: window, keys, {@code kind}, {@code live} and
   * {@code other} (the measures of each; null where it has no row).
   *
   * @return empty: their rows can't be compared one by one
   */
  public Optional<Dataset<Row>> differences(ServedGeneration live, ServedGeneration other) {
    if (incomparable(live.spec(), other.spec()).isPresent()) {
      return Optional.empty();
    }
    KeptArchive kept = inBoth(live, other);
    Dataset<Row> liveRows = kept.recountable(shown(live, lit(true)), AggregateColumns.WINDOW_START);
    Dataset<Row> otherRows =
        kept.recountable(shown(other, lit(true)), AggregateColumns.WINDOW_START);
    return Optional.of(
        joined(
                liveRows,
                otherRows,
                live.spec(),
                shared(live.spec(), other.spec(), liveRows, otherRows),
                Set.of())
            .filter(col(KIND).notEqual(Comparison.EQUAL)));
  }

  /** Windows that both can have counted. */
  private KeptArchive inBoth(ServedGeneration live, ServedGeneration other) {
    return KeptArchive.of(format, live.tables())
        .builtFrom(KeptArchive.builtFrom(format, other.tables()));
  }

  private static Optional<Instant> later(Optional<Instant> one, Optional<Instant> other) {
    return Stream.of(one, other).flatMap(Optional::stream).max(Instant::compareTo);
  }

  private Optional<Instant> settledInBoth(ServedGeneration live, ServedGeneration other) {
    return earlier(marks(live).settledThrough(), marks(other).settledThrough());
  }

  private SettlementMarks marks(ServedGeneration generation) {
    return new SettlementMarks(format, generation.tables().aggregates());
  }

  private Optional<Instant> frontier(ServedGeneration generation) {
    return new ProgressJournal(spark, format, generation.tables().progress(), clock)
        .newest()
        .flatMap(ProgressStep::frontier);
  }

  /** Empty unless both are there. */
  private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    return one.flatMap(a -> other.map(b -> a.isBefore(b) ? a : b));
  }

  private Instant through(
      ServedGeneration live, ServedGeneration other, CompareRequest request, Instant settled) {
    if (request.through().isEmpty()) {
      if (settled.equals(SettlementMark.NOTHING_SETTLED)) {
        throw new DataRefusedException(
            "No window is settled in both %s and %s yet, so there is nothing exact to compare. Run 'tidemark settle', or name windows that both streams are done with: --windows FROM TO."
                .formatted(live.generation(), other.generation()));
      }
      return settled;
    }
    Instant asked = request.through().get();
    Instant done =
        earlier(frontier(live), frontier(other))
            .filter(frontier -> frontier.isAfter(settled))
            .orElse(settled);
    if (asked.isAfter(done)) {
      throw new SpecException(
          "Windows that end after %s are still counted in %s or %s: compare windows that end by then, not by %s."
              .formatted(done, live.generation(), other.generation(), asked));
    }
    return asked;
  }

  /** Rows as people see them: window, keys, measures and the number of events. */
  private Dataset<Row> shown(ServedGeneration generation, Optional<Instant> from, Instant through) {
    Column inRange = col(AggregateColumns.WINDOW_END).leq(lit(through));
    if (from.isPresent()) {
      inRange = inRange.and(col(AggregateColumns.WINDOW_START).geq(lit(from.get())));
    }
    return shown(generation, inRange);
  }

  private Dataset<Row> shown(ServedGeneration generation, Column condition) {
    PipelineSpec spec = generation.spec();
    List<Column> columns = new ArrayList<>();
    AggregateColumns.identity(spec).forEach(name -> columns.add(col(name.quoted())));
    for (Measure measure : spec.measures()) {
      columns.add(expr(MeasureColumns.shown(measure)).as(measure.name().value()));
    }
    columns.add(col(AggregateColumns.EVENT_COUNT));
    return format
        .read(generation.tables().aggregates(), format.version(generation.tables().aggregates()))
        .filter(condition)
        .select(columns.toArray(Column[]::new));
  }

  private static List<Shared> shared(
      PipelineSpec live, PipelineSpec other, Dataset<Row> liveRows, Dataset<Row> otherRows) {
    List<Shared> shared = new ArrayList<>();
    for (Measure measure : live.measures()) {
      String name = measure.name().value();
      Optional<Measure> same =
          other.measures().stream().filter(m -> m.name().equals(measure.name())).findFirst();
      if (same.isPresent()) {
        DataType type = liveRows.schema().apply(name).dataType();
        if (type.equals(otherRows.schema().apply(name).dataType())) {
          shared.add(new Shared(name, isSummable(measure) && isSummable(same.get()), type));
        }
      }
    }
    shared.add(new Shared(AggregateColumns.EVENT_COUNT, true, DataTypes.LongType));
    return shared;
  }

  private static void requireShared(Set<String> expected, List<Shared> shared) {
    List<String> names = shared.stream().map(Shared::name).toList();
    for (String name : expected) {
      if (!names.contains(name)) {
        throw new SpecException(
            "--expect %s: no measure that both generations have; they are: %s."
                .formatted(name, String.join(", ", names)));
      }
    }
  }

  private static boolean isSummable(Measure measure) {
    return measure instanceof Measure.Count || measure instanceof Measure.Sum;
  }

  private static List<String> notShared(
      PipelineSpec live, PipelineSpec other, List<Shared> shared) {
    return Stream.concat(live.measures().stream(), other.measures().stream())
        .map(measure -> measure.name().value())
        .distinct()
        .filter(name -> shared.stream().noneMatch(measure -> measure.name().equals(name)))
        .toList();
  }

  private static Optional<String> incomparable(PipelineSpec live, PipelineSpec other) {
    if (!live.window().equals(other.window())) {
      return Optional.of("their windows differ");
    }
    List<Key> liveKeys = live.keys();
    return liveKeys.equals(other.keys()) ? Optional.empty() : Optional.of("their keys differ");
  }

  private static List<Comparison.Total> totals(
      Dataset<Row> live, Dataset<Row> other, List<Shared> shared) {
    List<Shared> summable = shared.stream().filter(Shared::summable).toList();
    Map<LocalDate, Row> liveDays = byDay(live, summable);
    Map<LocalDate, Row> otherDays = byDay(other, summable);
    List<Comparison.Total> totals = new ArrayList<>();
    Stream.concat(liveDays.keySet().stream(), otherDays.keySet().stream())
        .distinct()
        .sorted()
        .forEach(
            day -> {
              for (int i = 0; i < summable.size(); i++) {
                totals.add(
                    new Comparison.Total(
                        day,
                        summable.get(i).name(),
                        text(liveDays.get(day), i + 1),
                        text(otherDays.get(day), i + 1)));
              }
            });
    return totals;
  }

  private static Optional<String> text(@Nullable Row row, int column) {
    return Optional.ofNullable(row).map(values -> values.getString(column));
  }

  private static Map<LocalDate, Row> byDay(Dataset<Row> rows, List<Shared> summable) {
    Column day = AggregateColumns.partition(PartitionUnit.DAY, col(AggregateColumns.WINDOW_END));
    Column[] sums =
        summable.stream()
            .map(measure -> sum(col("`" + measure.name() + "`")).cast("string").as(measure.name()))
            .toArray(Column[]::new);
    Map<LocalDate, Row> days = new LinkedHashMap<>();
    for (Row row :
        rows.groupBy(day.as("day"))
            .agg(sums[0], Arrays.copyOfRange(sums, 1, sums.length))
            .collectAsList()) {
      Object date = row.get(0);
      days.put(date instanceof Date sql ? sql.toLocalDate() : (LocalDate) date, row);
    }
    return days;
  }

  private static Dataset<Row> joined(
      Dataset<Row> liveRows,
      Dataset<Row> otherRows,
      PipelineSpec spec,
      List<Shared> shared,
      Set<String> expected) {
    List<String> identity =
        AggregateColumns.identity(spec).stream().map(ColumnName::value).toList();
    Dataset<Row> live = side(liveRows, identity, LIVE);
    Dataset<Row> other = side(otherRows, identity, OTHER);
    Column same = lit(true);
    List<Column> columns = new ArrayList<>();
    for (String name : identity) {
      Column left = live.col("`" + name + "`");
      Column right = other.col("`" + name + "`");
      same = same.and(left.eqNullSafe(right));
      columns.add(when(live.col(LIVE).isNotNull(), left).otherwise(right).as(name));
    }
    columns.add(live.col(LIVE));
    columns.add(other.col(OTHER));
    Column equal = shared.stream().map(CompareJob::equal).reduce(lit(true), Column::and);
    Column equalButForExpected =
        shared.stream()
            .filter(measure -> !expected.contains(measure.name()))
            .map(CompareJob::equal)
            .reduce(lit(true), Column::and);
    return live.join(other, same, "full_outer")
        .select(columns.toArray(Column[]::new))
        .withColumn(
            KIND,
            when(col(OTHER).isNull(), lit(Comparison.ONLY_LIVE))
                .when(col(LIVE).isNull(), lit(Comparison.ONLY_OTHER))
                .when(equal, lit(Comparison.EQUAL))
                .when(equalButForExpected, lit(Comparison.EXPECTED))
                .otherwise(lit(Comparison.DIFFERENT)));
  }

  /** Identity columns, and a struct of all others under the side's name. */
  private static Dataset<Row> side(Dataset<Row> rows, List<String> identity, String name) {
    Stream<Column> columns = identity.stream().map(column -> col("`" + column + "`"));
    Column[] values =
        Stream.of(rows.columns())
            .filter(column -> !identity.contains(column))
            .map(column -> col("`" + column + "`"))
            .toArray(Column[]::new);
    return rows.select(
        Stream.concat(columns, Stream.of(struct(values).as(name))).toArray(Column[]::new));
  }

  private static Column equal(Shared measure) {
    Column live = col(LIVE).getField(measure.name());
    Column other = col(OTHER).getField(measure.name());
    return measure.floating() ? StoredColumn.closeTo(live, other) : live.eqNullSafe(other);
  }

  private static List<RowDifference> largest(
      Dataset<Row> joined, PipelineSpec spec, List<Shared> shared, int most) {
    Column change = abs(events(OTHER).minus(events(LIVE)));
    Map<String, String> keepNulls = Map.of("ignoreNullFields", "false");
    return RowDifference.read(
        joined
            .filter(not(col(KIND).isin(Comparison.EQUAL, Comparison.EXPECTED)))
            .withColumn("_tidemark_change", change)
            .withColumn("_tidemark_key", AggregateColumns.keysAsJson(spec))
            .orderBy(
                col("_tidemark_change").desc(),
                relativeChange(shared).desc(),
                col(AggregateColumns.WINDOW_START),
                col("_tidemark_key"))
            .limit(most)
            .select(
                col(KIND),
                col(AggregateColumns.WINDOW_START),
                col(AggregateColumns.WINDOW_END),
                col("_tidemark_key"),
                to_json(col(LIVE), keepNulls),
                to_json(col(OTHER), keepNulls)));
  }

  /** The largest of a row's changes of a number, as a share of the larger value. */
  private static Column relativeChange(List<Shared> shared) {
    return shared.stream()
        .filter(measure -> measure.type() instanceof NumericType)
        .map(
            measure -> {
              Column live = col(LIVE).getField(measure.name()).cast("double");
              Column other = col(OTHER).getField(measure.name()).cast("double");
              Column larger = greatest(abs(live), abs(other));
              return coalesce(
                  abs(live.minus(other)).divide(when(larger.notEqual(0), larger)), lit(0.0));
            })
        .reduce(lit(0.0), (one, more) -> greatest(one, more));
  }

  private static Column events(String side) {
    return coalesce(col(side).getField(AggregateColumns.EVENT_COUNT), lit(0L));
  }
}
