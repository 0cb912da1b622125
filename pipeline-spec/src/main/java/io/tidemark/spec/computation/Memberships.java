package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.min_by;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.window;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.DerivedColumn;
import io.tidemark.spec.Key;
import io.tidemark.spec.Measure;
import io.tidemark.spec.PipelineSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

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

  static final String POSITION = "_tidemark_position";
  static final String COPIES = "_tidemark_copies";
  private static final String TIME = "_tidemark_time";
  private static final String FIRST = "_tidemark_first";

  private Memberships() {}

  /** Of a batch of archive rows, or of a stream without a watermark. */
  public static Dataset<Row> of(Dataset<Row> archive, PipelineSpec spec) {
    return inWindows(considered(archive, spec), spec);
  }

  /** Of a stream of archive rows, with the pipeline's watermark. */
  static Dataset<Row> watermarked(Dataset<Row> archive, PipelineSpec spec) {
    String delay = spec.watermark().delay().toMillis() + " milliseconds";
    return inWindows(considered(archive, spec).withWatermark(TIME, delay), spec);
  }

  /** One of the copies of each event, whichever comes first: all that a stream can do. */
  static Dataset<Row> firstSeen(Dataset<Row> memberships, PipelineSpec spec) {
    return memberships.dropDuplicates(identity(spec).toArray(String[]::new));
  }

  /**
   * Of the copies of each event the one with the smallest source position, and in {@link #COPIES}
   * their number.
   */
  static Dataset<Row> firstByPosition(Dataset<Row> memberships, PipelineSpec spec) {
    List<String> inputs = inputs(spec);
    Column[] identity = columns(identity(spec));
    if (inputs.isEmpty()) {
      return memberships.groupBy(identity).agg(count(lit(1)).as(COPIES));
    }
    Column first = min_by(struct(columns(inputs)), col(POSITION)).as(FIRST);
    Column[] selected =
        Stream.concat(
                Stream.concat(identity(spec).stream(), Stream.of(COPIES)).map(name -> col(name)),
                inputs.stream().map(name -> col(FIRST).getField(name).as(name)))
            .toArray(Column[]::new);
    return memberships.groupBy(identity).agg(count(lit(1)).as(COPIES), first).select(selected);
  }

  /** The events that both modes count: no problem, and the filter is true. */
  public static Dataset<Row> considered(Dataset<Row> archive, PipelineSpec spec) {
    Dataset<Row> events =
        archive
            .filter(col(ArchiveColumns.PROBLEM).isNull())
            .select(
                col(ArchiveColumns.EVENT + ".*"),
                col(ArchiveColumns.EVENT_TIME).as(TIME),
                col(ArchiveColumns.SOURCE_POSITION).as(POSITION));
    Dataset<Row> filtered =
        spec.filter().map(f -> events.filter(FailSafeExpression.of(f))).orElse(events);
    for (DerivedColumn derived : spec.derive()) {
      filtered =
          filtered.withColumn(derived.name().value(), FailSafeExpression.of(derived.expression()));
    }
    return filtered;
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
    for (Measure measure : spec.measures()) {
      MeasureColumns.input(measure)
          .ifPresent(input -> columns.add(FailSafeExpression.of(input).as(inputName(measure))));
    }
    return considered.select(columns.toArray(Column[]::new));
  }

  /** Copies are looked for within one window and key, so that a row depends on its own events. */
  private static List<String> identity(PipelineSpec spec) {
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

  private static List<String> inputs(PipelineSpec spec) {
    return spec.measures().stream()
        .filter(measure -> MeasureColumns.input(measure).isPresent())
        .map(Memberships::inputName)
        .toList();
  }

  private static String identityName(ColumnName id) {
    return "_tidemark_id_" + id.value();
  }

  private static Column[] columns(List<String> names) {
    return names.stream().map(name -> col("`" + name + "`")).toArray(Column[]::new);
  }
}
