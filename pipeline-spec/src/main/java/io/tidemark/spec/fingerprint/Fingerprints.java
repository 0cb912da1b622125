package io.tidemark.spec.fingerprint;

import static io.tidemark.spec.fingerprint.CanonicalText.list;
import static io.tidemark.spec.fingerprint.CanonicalText.quoted;
import static io.tidemark.spec.fingerprint.CanonicalText.sorted;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.DerivedColumn;
import io.tidemark.spec.EventSpec;
import io.tidemark.spec.Key;
import io.tidemark.spec.Measure;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.WindowSpec;
import io.tidemark.spec.time.SpecDuration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * Takes the two fingerprints of a spec. They depend on what the file means, not on how it is
 * written: comments, the order of its keys and white space in expressions have no effect.
 */
public final class Fingerprints {

  /** Raised when the same spec gets another canonical text. */
  private static final String TEXT_VERSION = "1";

  private Fingerprints() {}

  /** What decides which records the archive holds and how they are read. */
  public static Fingerprint archive(PipelineSpec spec) {
    return archiveText(spec).fingerprint();
  }

  /**
   * What decides a generation's numbers: the archive's fingerprint and the whole calculation. The
   * order of keys and measures is part of it, as the state of a stream depends on it; rate limits,
   * limits of settlements and of health, and roll-ups are not.
   */
  public static Fingerprint generation(PipelineSpec spec) {
    Map<String, String> derive = new LinkedHashMap<>();
    for (DerivedColumn column : spec.derive()) {
      derive.put(column.name().value(), expression(column.expression(), column.type()));
    }
    return archiveText(spec)
        .part("filter", quoted(spec.filter().map(SqlText::canonical)))
        .part("derive", sorted(derive))
        .part("window", window(spec.window()))
        .part("keys", list(spec.keys().stream().map(Key::name).map(ColumnName::value).toList()))
        .part("measures", list(spec.measures().stream().map(Fingerprints::measure).toList()))
        .part("watermark.bound", SpecDuration.format(spec.watermark().bound()))
        .part("watermark.allowed-lateness", SpecDuration.format(spec.watermark().allowedLateness()))
        .part("emit", Written.asInFile(spec.emit()))
        .part("duplicates", Written.asInFile(spec.duplicates()))
        .part("tables.partition", Written.asInFile(spec.partition()))
        .fingerprint();
  }

  private static CanonicalText archiveText(PipelineSpec spec) {
    EventSpec event = spec.event();
    CanonicalText text = new CanonicalText().part("fingerprint", TEXT_VERSION);
    return SourceText.addTo(text, spec.source())
        .part(Fingerprint.SCHEMA, schema(event.schema()))
        .part("event.id", list(event.id().stream().map(ColumnName::value).toList()))
        .part("event.time", Written.asInFile(Optional.of(event.time())))
        .part("event.source-timestamp", Written.asInFile(event.sourceTimestamp()))
        .part("event.arrival", Written.asInFile(event.arrival()))
        .part("event.max-future-skew", SpecDuration.format(event.maxFutureSkew()))
        .part("event.max-age", SpecDuration.format(event.maxAge()))
        .part("identical-lines", spec.identicalLinesOne() ? "one" : "none");
  }

  /** The order of columns is part of it: the archive holds them as a struct. */
  private static String schema(StructType schema) {
    return list(
        Arrays.stream(schema.fields())
            .map(field -> field.name() + " " + field.dataType().catalogString())
            .toList());
  }

  private static String window(WindowSpec window) {
    String size = SpecDuration.format(window.size());
    return window instanceof WindowSpec.Hopping hopping
        ? "hopping " + size + " every " + SpecDuration.format(hopping.slide())
        : "tumbling " + size;
  }

  private static String measure(Measure measure) {
    String call;
    if (measure instanceof Measure.Count count) {
      call = count.expression().map(sql -> "count(" + sqlText(sql) + ")").orElse("count");
    } else if (measure instanceof Measure.Sum sum) {
      call = "sum(" + expression(sum.expression(), sum.inputType()) + ")";
    } else if (measure instanceof Measure.Min min) {
      call = "min(" + expression(min.expression(), min.inputType()) + ")";
    } else if (measure instanceof Measure.Max max) {
      call = "max(" + expression(max.expression(), max.inputType()) + ")";
    } else if (measure instanceof Measure.Avg avg) {
      call = "avg(" + expression(avg.expression(), avg.inputType()) + ")";
    } else {
      Measure.ApproxDistinct distinct = (Measure.ApproxDistinct) measure;
      call = "approx-distinct(" + expression(distinct.expression(), distinct.inputType()) + ")";
    }
    return measure.name().value() + "=" + call;
  }

  private static String expression(String sql, DataType type) {
    return sqlText(sql) + " " + type.catalogString();
  }

  private static String sqlText(String sql) {
    return quoted(SqlText.canonical(sql));
  }
}
