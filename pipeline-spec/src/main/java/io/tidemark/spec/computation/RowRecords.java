package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.bool_and;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.row_number;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_date;
import static org.apache.spark.sql.functions.to_json;
import static org.apache.spark.sql.functions.when;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.PipelineSpec;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.expressions.WindowSpec;

/** The archived records behind one row of the aggregates, each with its {@link RecordFate}. */
public final class RowRecords {

  /** The id columns as JSON. */
  public static final String EVENT_ID = "event_id";

  /** The source position as text. */
  public static final String POSITION = "position";

  /** That of the copy which is counted. */
  public static final String COUNTED_POSITION = "counted_position";

  public static final String ARCHIVE_VERSION = "archive_version";
  public static final String FATE = "fate";

  private static final String IDENTITY = "_tidemark_identity";
  private static final String PASSES = "_tidemark_passes";
  private static final String RECORD_PROBLEM = "_tidemark_problem";
  private static final String OWN_VERSION = "_tidemark_own_version";
  private static final String PLACE = "_tidemark_place";

  private RowRecords() {}

  /**
   * Rows of {@code event_id, event_time, arrival_time, position, counted_position, archive_version,
   * closed_through, problem, fate}. Reads the archive's days that the window reaches into, and the
   * records with a problem.
   *
   * @param archive archive rows with their commit version
   * @param key whether a record's key columns are the row's
   * @param readThrough the archive version through which the stream has read
   */
  public static Dataset<Row> of(
      Dataset<Row> archive,
      PipelineSpec spec,
      StreamBounds bounds,
      Instant windowStart,
      Column key,
      long readThrough) {
    Instant windowEnd = windowStart.plus(spec.window().size());
    Column considered = col(RECORD_PROBLEM).isNull().and(col(PASSES));
    WindowSpec copies = Window.partitionBy(considered, col(IDENTITY));
    Dataset<Row> placed =
        attributable(archive, spec, windowStart, windowEnd, key)
            .withColumn(
                PLACE,
                row_number()
                    .over(copies.orderBy(Memberships.POSITION, ArchiveColumns.COMMIT_VERSION)))
            .withColumn(COUNTED_POSITION, min(col(Memberships.POSITION)).over(copies))
            .withColumn(OWN_VERSION, col(ArchiveColumns.COMMIT_VERSION))
            .withColumn(
                ArchiveColumns.COMMIT_VERSION,
                min(Copies.seenBy(col(ArchiveColumns.COMMIT_VERSION))).over(copies))
            .withColumn(Memberships.IMPORTED, bool_and(col(Memberships.IMPORTED)).over(copies))
            .withColumn(
                Memberships.WINDOW, struct(lit(windowStart).as("start"), lit(windowEnd).as("end")));
    Column fate =
        when(col(RECORD_PROBLEM).isNotNull(), lit(RecordFate.REJECTED.label()))
            .when(col(PASSES).equalTo(lit(false)), lit(RecordFate.FILTERED.label()))
            .when(col(PLACE).gt(1), lit(RecordFate.COPY.label()))
            .when(col(StreamBounds.BUILT), lit(RecordFate.BUILT.label()))
            .when(col(Memberships.IMPORTED), lit(RecordFate.IMPORTED.label()))
            .when(col(StreamBounds.TOO_LATE), lit(RecordFate.LEFT_OUT.label()))
            .when(
                col(ArchiveColumns.COMMIT_VERSION).gt(readThrough), lit(RecordFate.WAITING.label()))
            .otherwise(RecordFate.COUNTED.label());
    return bounds
        .mark(placed)
        .select(
            col(EVENT_ID),
            col(Memberships.TIME).as(ArchiveColumns.EVENT_TIME),
            col(Memberships.ARRIVAL).as(ArchiveColumns.ARRIVAL_TIME),
            SourcePosition.text(Memberships.POSITION, spec.source()).as(POSITION),
            SourcePosition.text(COUNTED_POSITION, spec.source()).as(COUNTED_POSITION),
            col(OWN_VERSION).as(ARCHIVE_VERSION),
            when(
                    not(col(Memberships.IMPORTED)).and(not(col(StreamBounds.BUILT))),
                    col(StreamBounds.CLOSED_THROUGH))
                .as(StreamBounds.CLOSED_THROUGH),
            col(RECORD_PROBLEM).as(ArchiveColumns.PROBLEM),
            fate.as(FATE));
  }

  /**
   * Records with a problem of which cannot be said whether they belong to the row: malformed ones,
   * and those without an event time, of the window's days by event time or else arrival, or of no
   * known day.
   */
  public static Dataset<Row> unattributable(
      Dataset<Row> archive, PipelineSpec spec, Instant windowStart) {
    Column day =
        to_date(coalesce(col(ArchiveColumns.EVENT_TIME), col(ArchiveColumns.ARRIVAL_TIME)));
    return archive
        .filter(col(ArchiveColumns.EVENT_DATE).isNull())
        .filter(malformed().or(col(ArchiveColumns.EVENT_TIME).isNull()))
        .filter(
            day.isNull()
                .or(
                    day.between(
                        date(windowStart),
                        date(windowStart.plus(spec.window().size()).minusMillis(1)))));
  }

  /** What is in the window and of the key, malformed records aside: their columns mean nothing. */
  private static Dataset<Row> attributable(
      Dataset<Row> archive, PipelineSpec spec, Instant windowStart, Instant windowEnd, Column key) {
    Column inDays =
        col(ArchiveColumns.EVENT_DATE).between(date(windowStart), date(windowEnd.minusMillis(1)));
    Column inWindow =
        col(ArchiveColumns.EVENT_TIME)
            .geq(lit(windowStart))
            .and(col(ArchiveColumns.EVENT_TIME).lt(lit(windowEnd)));
    Column passes =
        spec.filter()
            .map(filter -> coalesce(FailSafeExpression.of(filter), lit(false)))
            .orElse(lit(true));
    Dataset<Row> records =
        ArchiveColumns.asSpecified(archive, spec.event())
            .filter(inDays.or(col(ArchiveColumns.EVENT_DATE).isNull()))
            .filter(inWindow)
            .filter(col(ArchiveColumns.PROBLEM).isNull().or(malformed().equalTo(lit(false))))
            .select(
                col(ArchiveColumns.EVENT + ".*"),
                col(ArchiveColumns.EVENT_TIME).as(Memberships.TIME),
                col(ArchiveColumns.ARRIVAL_TIME).as(Memberships.ARRIVAL),
                col(ArchiveColumns.SOURCE_POSITION).as(Memberships.POSITION),
                col(ArchiveColumns.IMPORT_ID).isNotNull().as(Memberships.IMPORTED),
                col(ArchiveColumns.PROBLEM).as(RECORD_PROBLEM),
                col(ArchiveColumns.COMMIT_VERSION))
            .withColumn(PASSES, passes);
    Column[] ids =
        spec.event().id().stream()
            .map(ColumnName::quoted)
            .map(id -> col(id))
            .toArray(Column[]::new);
    Column identity = spec.identifiedByPosition() ? col(Memberships.POSITION) : struct(ids);
    Column[] kept =
        Stream.of(
                Memberships.TIME,
                Memberships.ARRIVAL,
                Memberships.POSITION,
                Memberships.IMPORTED,
                RECORD_PROBLEM,
                ArchiveColumns.COMMIT_VERSION,
                PASSES)
            .map(name -> col(name))
            .toArray(Column[]::new);
    return Memberships.derived(records, spec)
        .filter(key)
        .select(
            Stream.concat(
                    Stream.of(
                        identity.as(IDENTITY),
                        (ids.length == 0 ? lit(null).cast("string") : to_json(struct(ids)))
                            .as(EVENT_ID)),
                    Stream.of(kept))
                .toArray(Column[]::new));
  }

  private static Column malformed() {
    return col(ArchiveColumns.PROBLEM).equalTo(RecordProblem.MALFORMED.label());
  }

  private static LocalDate date(Instant instant) {
    return instant.atZone(ZoneOffset.UTC).toLocalDate();
  }
}
