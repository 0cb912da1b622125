package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.bool_and;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.min_by;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.when;

import io.tidemark.spec.PipelineSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Keeps one of the copies of each event, where copies share window, keys and event id: so a row
 * depends on its own events only.
 */
final class Copies {

  /** How many memberships of one event are uncounted. */
  static final String NUMBER = "_tidemark_copies";

  /** Whether a membership, or all memberships of an event, are in no ledger yet. */
  static final String UNCOUNTED = "_tidemark_uncounted";

  private static final String FIRST = "_tidemark_first";

  private Copies() {}

  /** Whichever comes first: all that a stream can do. */
  static Dataset<Row> firstSeen(Dataset<Row> memberships, PipelineSpec spec) {
    return memberships.dropDuplicates(Memberships.identity(spec).toArray(String[]::new));
  }

  /**
   * The one with the smallest source position; with {@link #NUMBER}, {@link #UNCOUNTED}, whether
   * all copies were imported, and the smallest commit version among the others, that is when a
   * stream could first see the event (null: never).
   *
   * @param memberships with {@link #UNCOUNTED}
   */
  static Dataset<Row> firstByPosition(Dataset<Row> memberships, PipelineSpec spec) {
    List<String> inputs = Memberships.inputs(spec);
    List<Column> aggregates = new ArrayList<>();
    aggregates.add(bool_and(col(UNCOUNTED)).as(UNCOUNTED));
    aggregates.add(bool_and(col(Memberships.IMPORTED)).as(Memberships.IMPORTED));
    aggregates.add(
        min(seenBy(col(ArchiveColumns.COMMIT_VERSION))).as(ArchiveColumns.COMMIT_VERSION));
    if (!inputs.isEmpty()) {
      aggregates.add(min_by(struct(columns(inputs)), col(Memberships.POSITION)).as(FIRST));
    }
    List<Column> kept = new ArrayList<>();
    Memberships.identity(spec).forEach(name -> kept.add(quoted(name)));
    kept.add(col(NUMBER));
    kept.add(col(UNCOUNTED));
    kept.add(col(Memberships.IMPORTED));
    kept.add(col(ArchiveColumns.COMMIT_VERSION));
    inputs.forEach(name -> kept.add(col(FIRST).getField(name).as(name)));
    return memberships
        .groupBy(columns(Memberships.identity(spec)))
        .agg(count_if(col(UNCOUNTED)).as(NUMBER), aggregates.toArray(Column[]::new))
        .select(kept.toArray(Column[]::new));
  }

  /** The commit in which a stream sees the membership; null: in none, it was imported. */
  static Column seenBy(Column commitVersion) {
    return when(not(col(Memberships.IMPORTED)), commitVersion);
  }

  /**
   * The one that was archived first, of one commit the one that arrived first: when the event first
   * could be counted. Rows of the identity, commit version, arrival, time and position.
   */
  static Dataset<Row> firstToArrive(Dataset<Row> memberships, PipelineSpec spec) {
    List<String> identity = Memberships.identity(spec);
    List<String> arrival =
        Stream.of(
                ArchiveColumns.COMMIT_VERSION,
                Memberships.ARRIVAL,
                Memberships.TIME,
                Memberships.POSITION)
            .filter(name -> !identity.contains(name))
            .toList();
    List<Column> kept = new ArrayList<>();
    identity.forEach(name -> kept.add(quoted(name)));
    arrival.forEach(name -> kept.add(col(FIRST).getField(name).as(name)));
    return memberships
        .groupBy(columns(identity))
        .agg(min(struct(columns(arrival))).as(FIRST))
        .select(kept.toArray(Column[]::new));
  }

  static Column[] columns(List<String> names) {
    return names.stream().map(Copies::quoted).toArray(Column[]::new);
  }

  private static Column quoted(String name) {
    return col("`" + name + "`");
  }
}
