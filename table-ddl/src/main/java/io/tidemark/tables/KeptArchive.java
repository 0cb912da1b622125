package io.tidemark.tables;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.spec.computation.ArchiveColumns;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * From which event day (UTC) on windows are counted: the archive is kept from then on, or the
 * generation was built from then on. Windows that start before it are frozen: their events may be
 * gone, so that nothing recounts, compares or undoes them, and their rows stay as they are.
 *
 * <p>A job that pins the archive's version asks for this afterwards: the day only moves on, so what
 * it then leaves alone includes all that is gone from that version.
 *
 * @param from the first day that is kept; empty: all are
 * @param byBuild whether it is the build that does not reach further back, not the archive
 */
public record KeptArchive(Optional<LocalDate> from, boolean byBuild) {

  public static final KeptArchive WHOLE = new KeptArchive(Optional.empty(), false);

  /** Under which days are deleted, each commit with the first day that it leaves. */
  private static final String APPLICATION = "archive-retention";

  /** Under which a generation's aggregates say from which day on they were built. */
  private static final String BUILD = "built-from";

  /** The archive as it is now, for whoever is not about one generation. */
  public static KeptArchive of(TableFormat format, TablePath archive) {
    return new KeptArchive(
        format.newestVersion(archive, APPLICATION).map(LocalDate::ofEpochDay), false);
  }

  /** What a generation counts of the archive as it is now. */
  public static KeptArchive of(TableFormat format, PipelineTables tables) {
    return of(format, tables.archive()).builtFrom(builtFrom(format, tables));
  }

  /** From which day on a generation was built; empty: from the archive's first on. */
  public static Optional<LocalDate> builtFrom(TableFormat format, PipelineTables tables) {
    return format.newestVersion(tables.aggregates(), BUILD).map(LocalDate::ofEpochDay);
  }

  /** The same for a generation that is built from a day on. */
  public KeptArchive builtFrom(Optional<LocalDate> day) {
    boolean isLater = day.isPresent() && (from.isEmpty() || day.get().isAfter(from.get()));
    return isLater ? new KeptArchive(day, true) : this;
  }

  /**
   * Notes that a generation is built from a day on, before it has any row.
   *
   * @param day after 1970-01-01
   */
  public static void buildFrom(TableFormat format, TablePath aggregates, LocalDate day) {
    format.append(
        aggregates,
        format.read(aggregates).limit(0),
        CommitLabel.ofSeveralWriters(
            BUILD,
            day.toEpochDay(),
            JsonNodeFactory.instance.objectNode().put("built_from", day.toString()).toString()));
  }

  /** Why nothing earlier is counted, to follow a colon or "because". */
  public String inWords() {
    return (byBuild ? "the generation was built from %s on" : "the archive is kept from %s on")
        .formatted(from.orElseThrow());
  }

  /**
   * Deletes all days before one, and freezes their windows in the same commit. Changes nothing
   * where that has been done for this day or a later one.
   *
   * @param day after 1970-01-01
   * @throws io.tidemark.spec.error.ConflictException if another writer changed such a day meanwhile
   */
  public static void deleteBefore(TableFormat format, TablePath archive, LocalDate day) {
    format.delete(
        archive,
        "`%s` < %s".formatted(ArchiveColumns.EVENT_DATE, SqlLiteral.of(day)),
        CommitLabel.ofSeveralWriters(
            APPLICATION,
            day.toEpochDay(),
            JsonNodeFactory.instance.objectNode().put("kept_from", day.toString()).toString()));
  }

  /** When the first day begins. */
  public Optional<Instant> start() {
    return from.map(day -> day.atStartOfDay(ZoneOffset.UTC).toInstant());
  }

  /** Whether a window is frozen. */
  public boolean freezes(Instant windowStart) {
    return start().filter(windowStart::isBefore).isPresent();
  }

  /** The events of the days that are kept. */
  public Dataset<Row> events(Dataset<Row> archive) {
    return from.map(day -> archive.filter(col(ArchiveColumns.EVENT_DATE).geq(lit(day))))
        .orElse(archive);
  }

  /**
   * The rows whose window is not frozen.
   *
   * @param windowStart the column that holds its start
   */
  public Dataset<Row> recountable(Dataset<Row> rows, String windowStart) {
    return start().map(start -> rows.filter(col(windowStart).geq(lit(start)))).orElse(rows);
  }

  /** The rows whose window is frozen. */
  public Dataset<Row> frozen(Dataset<Row> rows, String windowStart) {
    return rows.filter(start().map(start -> col(windowStart).lt(lit(start))).orElse(lit(false)));
  }
}
