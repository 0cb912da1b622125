package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.window;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.DerivedColumn;
import io.tidemark.spec.Key;
import io.tidemark.spec.Measure;
import io.tidemark.spec.PipelineSpec;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;

/**
 * The memberships of considered events in windows: one row per (event, window), with the columns
 * {@link #WINDOW}, the keys, the identity and the measures' inputs.
 *
 * <p>An event is considered when its record has no problem and the filter is true for it. Both go
 * before the watermark: an event that is not considered does not move it.
 */
public final class Memberships {

  /** {@code {start, end}} of the window. */
  public static final String WINDOW = "_tidemark_window";

  public static final String WINDOW_START = WINDOW + ".start";
  public static final String WINDOW_END = WINDOW + ".end";

  static final String POSITION = "_tidemark_position";

  /** The event's time. */
  public static final String TIME = "_tidemark_time";

  static final String ARRIVAL = "_tidemark_arrival";

  /** Whether the record was imported, so that no stream has seen it. */
  static final String IMPORTED = "_tidemark_imported";

  private Memberships() {}

  /** Of a batch of archive rows, or of a stream without a watermark. */
  public static Dataset<Row> of(Dataset<Row> archive, PipelineSpec spec) {
    return inWindows(considered(archive, spec), spec);
  }

  /**
   * Of a stream of archive rows, with the pipeline's watermark. What was imported is skipped before
   * it: history moves no watermark and changes no estimate.
   */
  static Dataset<Row> watermarked(Dataset<Row> archive, PipelineSpec spec) {
    String delay = spec.watermark().delay().toMillis() + " milliseconds";
    Dataset<Row> ingested = ArchiveRows.ingested(archive);
    return inWindows(considered(ingested, spec).withWatermark(TIME, delay), spec);
  }

  /** The events that both modes count: no problem, and the filter is true. */
  public static Dataset<Row> considered(Dataset<Row> archive, PipelineSpec spec) {
    Dataset<Row> events =
        ArchiveColumns.asSpecified(archive, spec.event())
            .filter(col(ArchiveColumns.PROBLEM).isNull())
            .select(
                col(ArchiveColumns.EVENT + ".*"),
                col(ArchiveColumns.EVENT_TIME).as(TIME),
                col(ArchiveColumns.ARRIVAL_TIME).as(ARRIVAL),
                col(ArchiveColumns.SOURCE_POSITION).as(POSITION),
                col(ArchiveColumns.IMPORT_ID).isNotNull().as(IMPORTED),
                commitVersion(archive));
    return derived(
        spec.filter().map(f -> events.filter(FailSafeExpression.of(f))).orElse(events), spec);
  }

  /** Adds the derived columns to rows of the event's columns. */
  static Dataset<Row> derived(Dataset<Row> events, PipelineSpec spec) {
    Dataset<Row> withAll = events;
    for (DerivedColumn derived : spec.derive()) {
      withAll =
          withAll.withColumn(derived.name().value(), FailSafeExpression.of(derived.expression()));
    }
    return withAll;
  }

  /** The end of the last window that the archive holds an event of. */
  public static Optional<Instant> lastWindowEnd(Dataset<Row> archive, PipelineSpec spec) {
    Row last = of(archive, spec).agg(max(col(WINDOW_END))).head();
    if (last.isNullAt(0)) {
      return Optional.empty();
    }
    return Optional.of(
        last.get(0) instanceof Timestamp timestamp ? timestamp.toInstant() : last.getInstant(0));
  }

  private static Column commitVersion(Dataset<Row> archive) {
    boolean known = List.of(archive.columns()).contains(ArchiveColumns.COMMIT_VERSION);
    return (known ? col(ArchiveColumns.COMMIT_VERSION) : lit(null).cast(DataTypes.LongType))
        .as(ArchiveColumns.COMMIT_VERSION);
  }

  private static Dataset<Row> inWindows(Dataset<Row> considered, PipelineSpec spec) {
    String size = spec.window().size().toMillis() + " milliseconds";
    String slide = spec.window().slide().toMillis() + " milliseconds";
    List<Column> columns = new ArrayList<>();
    columns.add(window(col(TIME), size, slide).as(WINDOW));
    for (Key key : spec.keys()) {
      columns.add(col(key.name().quoted()));
    }
    if (!spec.identifiedByPosition()) {
      for (ColumnName id : spec.event().id()) {
        columns.add(col(id.quoted()).as(identityName(id)));
      }
    }
    columns.add(col(POSITION));
    columns.add(col(TIME));
    columns.add(col(ARRIVAL));
    columns.add(col(IMPORTED));
    columns.add(col(ArchiveColumns.COMMIT_VERSION));
    for (Measure measure : spec.measures()) {
      MeasureColumns.input(measure)
          .ifPresent(input -> columns.add(FailSafeExpression.of(input).as(inputName(measure))));
    }
    return considered.select(columns.toArray(Column[]::new));
  }

  /** Copies are looked for within one window and key, so that a row depends on its own events. */
  static List<String> identity(PipelineSpec spec) {
    List<String> columns = new ArrayList<>();
    columns.add(WINDOW);
    AggregateColumns.keys(spec).forEach(key -> columns.add(key.value()));
    if (spec.identifiedByPosition()) {
      columns.add(POSITION);
    } else {
      spec.event().id().forEach(id -> columns.add(identityName(id)));
    }
    return columns;
  }

  static String inputName(Measure measure) {
    return "_tidemark_input_" + measure.name().value();
  }

  static List<String> inputs(PipelineSpec spec) {
    return spec.measures().stream()
        .filter(measure -> MeasureColumns.input(measure).isPresent())
        .map(Memberships::inputName)
        .toList();
  }

  static String identityName(ColumnName id) {
    return "_tidemark_id_" + id.value();
  }
}
