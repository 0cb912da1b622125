package io.tidemark.spec.parse;

import io.tidemark.spec.DerivedColumn;
import io.tidemark.spec.Duplicates;
import io.tidemark.spec.Emit;
import io.tidemark.spec.EventSpec;
import io.tidemark.spec.Health;
import io.tidemark.spec.Key;
import io.tidemark.spec.Measure;
import io.tidemark.spec.PipelineName;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.RollUp;
import io.tidemark.spec.SettleLimits;
import io.tidemark.spec.Source;
import io.tidemark.spec.Watermark;
import io.tidemark.spec.WindowSpec;
import io.tidemark.spec.time.PartitionUnit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the whole file, section by section; every part reports its own problems. */
final class PipelineReader {

  private final Section root;
  private final Problems problems;

  PipelineReader(Section root, Problems problems) {
    this.root = root;
    this.problems = problems;
  }

  /** The spec; empty if a problem has been reported. */
  Optional<PipelineSpec> read() {
    Optional<PipelineName> name = root.required("pipeline", "pipeline: <name>").flatMap(this::name);
    Optional<Source> source =
        root.required("source", "source: {kind: files, path: …, format: …}")
            .flatMap(SourceReader::read);
    Optional<EventReader> eventReader =
        root.required("event", "event: {schema: …, time: …}")
            .flatMap(value -> value.section(KnownKeys.EVENT))
            .map(section -> new EventReader(section, source));
    Optional<EventSpec> event = eventReader.flatMap(EventReader::read);
    eventReader.flatMap(EventReader::columns).ifPresent(columns -> checkRecord(source, columns));
    Calculation calculation = calculation(eventReader.flatMap(EventReader::columns));
    Optional<WindowSpec> window =
        root.required("window", "window: {tumbling: 1m}").flatMap(WindowReader::read);
    Optional<Watermark> watermark =
        root.required("watermark", "watermark: {bound: 10s, allowed-lateness: 60s}")
            .flatMap(PipelineReader::watermark);
    Emit emit =
        choice("emit", Map.of("on-update", Emit.ON_UPDATE, "on-close", Emit.ON_CLOSE))
            .orElse(Emit.ON_UPDATE);
    Duplicates duplicates =
        choice("duplicates", Map.of("drop", Duplicates.DROP, "keep", Duplicates.KEEP))
            .orElse(Duplicates.DROP);
    boolean identicalLinesOne = choice("identical-lines", Map.of("one", true)).orElse(false);
    PartitionUnit partition =
        root.optional("tables").flatMap(PipelineReader::partition).orElse(PartitionUnit.DAY);
    Optional<SettleLimits> settle = root.optional("settle").flatMap(SettleReader::read);
    Health health = root.optional("health").map(PipelineReader::health).orElse(Health.UNLIMITED);
    List<RollUp> rollUps =
        root.optional("roll-ups").map(v -> RollUpsReader.read(v, window)).orElse(List.of());
    if (source.isPresent() && source.get() instanceof Source.Files files) {
      new IdentityRules(root, files.format()).check(duplicates, identicalLinesOne);
    }
    return problems.hasErrors()
        ? Optional.empty()
        : Optional.of(
            new PipelineSpec(
                name.orElseThrow(),
                source.orElseThrow(),
                event.orElseThrow(),
                calculation.filter(),
                calculation.derive(),
                window.orElseThrow(),
                calculation.keys(),
                calculation.measures(),
                watermark.orElseThrow(),
                emit,
                duplicates,
                identicalLinesOne,
                partition,
                settle,
                health,
                rollUps));
  }

  /** What is computed from the event's columns. */
  private record Calculation(
      Optional<String> filter,
      List<DerivedColumn> derive,
      List<Key> keys,
      List<Measure> measures) {}

  /** Without known columns nothing can be said about what is computed from them. */
  private Calculation calculation(Optional<Columns> columns) {
    if (columns.isEmpty()) {
      return new Calculation(Optional.empty(), List.of(), List.of(), List.of());
    }
    ExpressionReader ofEvent = new ExpressionReader(columns.get());
    Optional<String> filter = root.optional("filter").flatMap(ofEvent::condition);
    DeriveReader deriveReader = new DeriveReader(columns.get());
    List<DerivedColumn> derive = root.optional("derive").map(deriveReader::read).orElse(List.of());
    StoredNames names = new StoredNames();
    Columns all = deriveReader.columns();
    List<Key> keys = root.optional("keys").map(new KeysReader(all, names)::read).orElse(List.of());
    List<Measure> measures =
        root.optional("measures").map(new MeasuresReader(all, names)::read).orElse(List.of());
    return new Calculation(filter, derive, keys, measures);
  }

  private Optional<PipelineName> name(YamlValue value) {
    Optional<String> text = value.text();
    if (text.isPresent() && !PipelineName.isValid(text.get())) {
      value.refuse(
          "'" + text.get() + "' is not a lower-case letter followed by at most 62 of a-z, 0-9, _",
          "Rename it: it is also the pipeline's name in SQL and its folder.");
      return Optional.empty();
    }
    return text.map(PipelineName::new);
  }

  /** Whether the event's columns are where a record of Kafka has them. */
  private void checkRecord(Optional<Source> source, Columns columns) {
    if (source.isPresent() && source.get() instanceof Source.Kafka kafka) {
      root.optional("source").ifPresent(value -> RecordColumns.check(kafka, value, columns));
      root.optional("event")
          .flatMap(value -> value.mappingValue("schema"))
          .ifPresent(schema -> AvroSchemas.check(kafka, columns, schema));
    }
  }

  private static Optional<Watermark> watermark(YamlValue value) {
    Optional<Section> section = value.section(KnownKeys.WATERMARK);
    Optional<Duration> bound =
        section.flatMap(s -> s.required("bound", "bound: 10s")).flatMap(YamlValue::duration);
    Duration allowedLateness =
        section
            .flatMap(s -> s.optional("allowed-lateness"))
            .flatMap(YamlValue::duration)
            .orElse(Duration.ZERO);
    return bound.map(b -> new Watermark(b, allowedLateness));
  }

  private static Optional<PartitionUnit> partition(YamlValue value) {
    Optional<Section> tables = value.section(KnownKeys.TABLES);
    tables
        .flatMap(s -> s.optional("format"))
        .ifPresent(v -> v.oneOf(Map.of("delta", "delta"), List.of("iceberg")));
    return tables
        .flatMap(s -> s.optional("partition"))
        .flatMap(
            v -> v.oneOf(Map.of("day", PartitionUnit.DAY, "hour", PartitionUnit.HOUR), List.of()));
  }

  private static Health health(YamlValue value) {
    return value
        .section(KnownKeys.HEALTH)
        .map(
            health ->
                new Health(
                    health.optional("max-lag").flatMap(YamlValue::positiveDuration),
                    health.optional("max-silence").flatMap(YamlValue::positiveDuration),
                    SettleReader.share(health, "max-left-out-share")))
        .orElse(Health.UNLIMITED);
  }

  private <T> Optional<T> choice(String key, Map<String, T> choices) {
    return root.optional(key).flatMap(value -> value.oneOf(choices, List.of()));
  }
}
