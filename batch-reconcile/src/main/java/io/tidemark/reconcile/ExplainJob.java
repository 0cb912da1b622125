package io.tidemark.reconcile;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.monotonically_increasing_id;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_json;

import io.tidemark.reconcile.RowExplanation.ArchivedRecord;
import io.tidemark.reconcile.RowExplanation.Change;
import io.tidemark.reconcile.RowExplanation.Shown;
import io.tidemark.spec.Key;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.AggregateColumns;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.computation.RecordFate;
import io.tidemark.spec.computation.RowRecords;
import io.tidemark.spec.computation.StreamBounds;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.journal.ProgressJournal;
import io.tidemark.tables.journal.ProgressStep;
import io.tidemark.tables.journal.Times;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The job {@code explain}: says of one row which records are behind it, what became of each, and
 * which settlements changed it. Writes nothing. Cost: reads the archive's days that the window
 * reaches into, and the records with a problem.
 */
public final class ExplainJob {

  private static final Map<String, String> WITH_NULLS = Map.of("ignoreNullFields", "false");
  private static final String SETTLEMENT = "_tidemark_settlement";
  private static final String PINNED = "_tidemark_pinned";
  private static final String ORDER = "_tidemark_order";

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final Clock clock;

  public ExplainJob(
      SparkSession spark,
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      Clock clock) {
    this.spark = spark;
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.clock = clock;
  }

  /**
   * Explains a row, whether it is there or not.
   *
   * @throws SpecException if there can be no such row
   */
  public RowExplanation run(ExplainRequest request) {
    request.requireRowOf(spec);
    String keyJson = keyJson(request);
    Instant end = request.windowStart().plus(spec.window().size());
    long version = format.version(tables.archive());
    Dataset<Row> archive = format.readWithCommitVersions(tables.archive(), version);
    KeptArchive kept = KeptArchive.of(format, tables);
    Optional<KeptArchive> frozen =
        Optional.of(kept).filter(one -> one.freezes(request.windowStart()));
    ProgressJournal progress = new ProgressJournal(spark, format, tables.progress(), clock);
    Optional<ProgressStep> newest = progress.newest();
    Dataset<Row> records =
        RowRecords.of(
            archive,
            spec,
            StreamBoundsReader.read(progress, newest),
            request.windowStart(),
            keyIs(request),
            newest.map(ProgressStep::readThrough).orElse(ProgressStep.NOTHING_READ));
    new SessionViews(spark, spec, tables, format, clock).register();
    return new RowExplanation(
        request.windowStart(),
        end,
        keyJson,
        version,
        frozen,
        now(request),
        changes(request),
        byFate(records),
        listed(records, settlements(end, frozen.isPresent()), request.most()),
        RowRecords.unattributable(archive, spec, request.windowStart()).count());
  }

  private static Map<RecordFate, Long> byFate(Dataset<Row> records) {
    Map<RecordFate, Long> counts = new EnumMap<>(RecordFate.class);
    for (Row row : records.groupBy(RowRecords.FATE).count().collectAsList()) {
      counts.put(RecordFate.of(row.getString(0)), row.getLong(1));
    }
    return counts;
  }

  /**
   * The settlements that have counted what they saw of a window; of a frozen one none, for they may
   * have seen it afterwards.
   */
  private Dataset<Row> settlements(Instant windowEnd, boolean frozen) {
    return Ledger.inForce(format.read(tables.settlements()))
        .filter(col("settled_through").geq(lit(windowEnd)).and(lit(!frozen)))
        .select(col("settlement").as(SETTLEMENT), col("archive_version").as(PINNED));
  }

  private static List<ArchivedRecord> listed(
      Dataset<Row> records, Dataset<Row> settlements, int most) {
    Dataset<Row> first =
        records
            .orderBy(RowRecords.ARCHIVE_VERSION, ArchiveColumns.EVENT_TIME, RowRecords.POSITION)
            .limit(most)
            .withColumn(ORDER, monotonically_increasing_id());
    Column[] columns = Arrays.stream(first.columns()).map(name -> col(name)).toArray(Column[]::new);
    return first
        .join(broadcast(settlements), col(PINNED).geq(col(RowRecords.ARCHIVE_VERSION)), "left")
        .groupBy(columns)
        .agg(min(SETTLEMENT).as(SETTLEMENT))
        .orderBy(ORDER)
        .collectAsList()
        .stream()
        .map(ExplainJob::archivedRecord)
        .toList();
  }

  private static ArchivedRecord archivedRecord(Row row) {
    return new ArchivedRecord(
        Optional.ofNullable(row.getAs(RowRecords.EVENT_ID)),
        Times.instant(row.getAs(ArchiveColumns.EVENT_TIME)),
        Optional.ofNullable(row.getAs(ArchiveColumns.ARRIVAL_TIME)).map(Times::instant),
        row.getAs(RowRecords.POSITION),
        row.getAs(RowRecords.COUNTED_POSITION),
        row.<Long>getAs(RowRecords.ARCHIVE_VERSION),
        Optional.ofNullable(row.getAs(StreamBounds.CLOSED_THROUGH)).map(Times::instant),
        Optional.ofNullable(row.getAs(ArchiveColumns.PROBLEM)),
        RecordFate.of(row.getAs(RowRecords.FATE)),
        Optional.ofNullable(row.getAs(SETTLEMENT)));
  }

  private Optional<Shown> now(ExplainRequest request) {
    return of(request, spark.table(spec.name().value()))
        .select(RowJson.ofView(spec), col("status"), col("version"))
        .collectAsList()
        .stream()
        .findFirst()
        .map(row -> new Shown(row.getString(0), row.getString(1), row.getLong(2)));
  }

  private List<Change> changes(ExplainRequest request) {
    Dataset<Row> corrections = of(request, spark.table(spec.name() + "_corrections"));
    List<Row> found =
        corrections
            .select("settlement", "kind", "committed_at")
            .orderBy("settlement")
            .collectAsList();
    if (found.isEmpty()) {
      return List.of();
    }
    Map<Long, String> before = side(corrections, Classification.BEFORE);
    Map<Long, String> after = side(corrections, Classification.AFTER);
    List<Change> changes = new ArrayList<>();
    for (Row row : found) {
      long settlement = row.getLong(0);
      changes.add(
          new Change(
              settlement,
              row.getString(1),
              Times.instant(row.get(2)),
              Optional.ofNullable(before.get(settlement)),
              Optional.ofNullable(after.get(settlement))));
    }
    return changes;
  }

  /** The values of one side by settlement. */
  private Map<Long, String> side(Dataset<Row> corrections, String side) {
    Map<Long, String> values = new HashMap<>();
    corrections
        .filter(col(side).isNotNull())
        .select(col("settlement"), RowJson.ofSide(spec, side))
        .collectAsList()
        .forEach(row -> values.put(row.getLong(0), row.getString(1)));
    return values;
  }

  private Dataset<Row> of(ExplainRequest request, Dataset<Row> rows) {
    return rows.filter(col(AggregateColumns.WINDOW_START).equalTo(lit(request.windowStart())))
        .filter(keyIs(request));
  }

  private Column keyIs(ExplainRequest request) {
    return spec.keys().stream()
        .map(key -> col(key.name().quoted()).eqNullSafe(value(key, request)))
        .reduce(lit(true), Column::and);
  }

  private static Column value(Key key, ExplainRequest request) {
    return lit(request.value(key.name()).orElse(null)).cast("string").try_cast(key.type());
  }

  private String keyJson(ExplainRequest request) {
    if (spec.keys().isEmpty()) {
      return "{}";
    }
    List<Column> values = new ArrayList<>();
    for (Key key : spec.keys()) {
      values.add(value(key, request).as(key.name().value()));
    }
    Row row =
        spark
            .range(1)
            .select(struct(values.toArray(Column[]::new)).as("k"))
            .select(col("k"), to_json(col("k"), WITH_NULLS))
            .head();
    for (int i = 0; i < values.size(); i++) {
      Key key = spec.keys().get(i);
      Optional<String> text = request.value(key.name());
      if (text.isPresent() && row.getStruct(0).isNullAt(i)) {
        throw new SpecException(
            "Cannot explain key %s: '%s' is no %s. Give another value, or --key-null %s."
                .formatted(key.name(), text.get(), key.type().sql(), key.name()));
      }
    }
    return row.getString(1);
  }
}
