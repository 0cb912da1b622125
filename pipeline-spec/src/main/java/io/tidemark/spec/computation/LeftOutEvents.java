package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.struct;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.PipelineSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The events that the stream saw and left out, one row per event and window. */
public final class LeftOutEvents {

  private LeftOutEvents() {}

  /**
   * Rows of {@code window_start, window_end}, the keys, {@code event_id} (a struct), {@code
   * event_time, arrival_time, archive_version, closed_through}.
   *
   * @param archive archive rows with their commit version
   */
  public static Dataset<Row> of(Dataset<Row> archive, PipelineSpec spec, StreamBounds bounds) {
    Dataset<Row> memberships = Memberships.of(ArchiveRows.ingested(archive), spec);
    Dataset<Row> firstToArrive = Copies.firstToArrive(memberships, spec);
    List<Column> columns = new ArrayList<>();
    columns.add(col(Memberships.WINDOW_START).as(AggregateColumns.WINDOW_START));
    columns.add(col(Memberships.WINDOW_END).as(AggregateColumns.WINDOW_END));
    AggregateColumns.keys(spec).forEach(key -> columns.add(col(key.quoted())));
    columns.add(eventId(spec).as("event_id"));
    columns.add(col(Memberships.TIME).as(ArchiveColumns.EVENT_TIME));
    columns.add(col(Memberships.ARRIVAL).as(ArchiveColumns.ARRIVAL_TIME));
    columns.add(col(ArchiveColumns.COMMIT_VERSION).as("archive_version"));
    columns.add(col(StreamBounds.CLOSED_THROUGH));
    return bounds
        .mark(firstToArrive)
        .filter(col(StreamBounds.TOO_LATE))
        .select(columns.toArray(Column[]::new));
  }

  private static Column eventId(PipelineSpec spec) {
    if (spec.identifiedByPosition()) {
      return col(Memberships.POSITION);
    }
    return struct(
        spec.event().id().stream()
            .map(ColumnName::value)
            .map(id -> col(Memberships.identityName(new ColumnName(id))).as(id))
            .toArray(Column[]::new));
  }
}
