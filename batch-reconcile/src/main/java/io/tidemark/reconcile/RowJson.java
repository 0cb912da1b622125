package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.expr;

import io.tidemark.spec.Measure;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.MeasureColumns;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;

/** A row's measures as people see them, as a JSON object. */
final class RowJson {

  private RowJson() {}

  /** Of a row of the main view. */
  static Column ofView(PipelineSpec spec) {
    return expr(json(spec, measure -> measure.name().quoted(), AggregateColumns.EVENT_COUNT));
  }

  /**
   * Of a side of {@link Classification}; null where that is null.
   *
   * @param side {@link Classification#BEFORE} or {@link Classification#AFTER}
   */
  static Column ofSide(PipelineSpec spec, String side) {
    return expr(
        "CASE WHEN %s IS NOT NULL THEN %s END"
            .formatted(
                side,
                json(
                    spec,
                    measure -> MeasureColumns.shown(measure, side),
                    side + "." + AggregateColumns.EVENT_COUNT)));
  }

  private static String json(
      PipelineSpec spec, Function<Measure, String> value, String eventCount) {
    return Stream.concat(
            spec.measures().stream()
                .map(measure -> "'%s', %s".formatted(measure.name(), value.apply(measure))),
            Stream.of("'%s', %s".formatted(AggregateColumns.EVENT_COUNT, eventCount)))
        .collect(
            Collectors.joining(
                ", ", "to_json(named_struct(", "), map('ignoreNullFields', 'false'))"));
  }
}
