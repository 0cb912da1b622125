package io.tidemark.examples;

import io.tidemark.cli.TextTable;
import io.tidemark.cli.verb.StatusText;
import io.tidemark.reconcile.SessionViews;
import io.tidemark.reconcile.StatusJob;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What the demo shows at its end: estimate against exact by day, and the largest corrections. */
final class DemoSummary {

  private static final String BY_DAY =
      """
      SELECT
        CAST(f.window_start AS DATE) AS day,
        sum(f.departures - coalesce(c.change, 0)) AS estimate,
        sum(f.departures) AS exact,
        sum(coalesce(c.change, 0)) AS difference,
        max(f.version) AS settlement,
        max(f.status) AS status
      FROM flights f
      LEFT JOIN (
        SELECT
          window_start, origin, carrier,
          sum(coalesce(after.departures, 0) - coalesce(before.departures, 0)) AS change
        FROM flights_corrections
        GROUP BY window_start, origin, carrier) c
      ON f.window_start = c.window_start
        AND f.origin <=> c.origin
        AND f.carrier <=> c.carrier
      GROUP BY day
      ORDER BY day""";

  private static final String LARGEST =
      """
      SELECT
        date_format(c.window_start, 'MM-dd HH:mm') AS hour,
        c.origin,
        c.carrier,
        c.kind,
        coalesce(c.before.departures, 0) AS before,
        c.after.departures AS after,
        l.left_out,
        l.latest
      FROM flights_corrections c
      LEFT JOIN (
        SELECT
          window_start, origin, carrier,
          count(*) AS left_out,
          max(timestampdiff(MINUTE, event_time, arrival_time)) AS latest
        FROM flights_late
        GROUP BY window_start, origin, carrier) l
      ON c.window_start = l.window_start
        AND c.origin <=> l.origin
        AND c.carrier <=> l.carrier
      ORDER BY c.after.departures - coalesce(c.before.departures, 0) DESC, l.latest DESC
      LIMIT 5""";

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final PrintStream out;

  DemoSummary(
      SparkSession spark,
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      PrintStream out) {
    this.spark = spark;
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.out = out;
  }

  void print(Path warehouse) {
    new SessionViews(spark, spec, tables, format, Clock.systemUTC()).register();
    out.println();
    out.println("Departures by day of schedule (UTC): what the stream showed, and what is true.");
    out.println(table(spark.sql(BY_DAY).collectAsList()));
    out.println();
    out.println("The largest corrections, and why:");
    TextTable largest =
        new TextTable("hour", "origin", "carrier", "kind", "before", "after", "reason");
    for (Row row : spark.sql(LARGEST).collectAsList()) {
      largest.row(
          row.get(0),
          row.get(1),
          row.get(2),
          row.get(3),
          row.get(4),
          row.get(5),
          row.get(6) + " left out, the latest " + row.get(7) + " min after schedule");
    }
    out.println(largest);
    out.println();
    out.println(
        StatusText.of(
            new StatusJob(spark, tables, format, Clock.systemUTC()).run(spec.name().value())));
    out.println();
    out.println("Look further:");
    String warehouseOption = " --warehouse " + Path.of("").toAbsolutePath().relativize(warehouse);
    for (String command :
        List.of(
            "verify examples/flights/flights.yaml" + warehouseOption,
            "status examples/flights/flights.yaml" + warehouseOption,
            "sql examples/flights/flights.yaml"
                + warehouseOption
                + " \"SELECT * FROM flights_daily WHERE carrier = 'UA' ORDER BY window_start\"",
            "sql examples/flights/flights.yaml"
                + warehouseOption
                + " \"SELECT * FROM flights_late ORDER BY arrival_time\"")) {
      out.println("  bin/tidemark " + command);
    }
  }

  private static TextTable table(List<Row> rows) {
    TextTable table =
        new TextTable("day", "estimate", "exact", "difference", "settlement", "status");
    long estimate = 0;
    long exact = 0;
    for (Row row : rows) {
      estimate += ((Number) row.get(1)).longValue();
      exact += ((Number) row.get(2)).longValue();
      table.row(row.get(0), row.get(1), row.get(2), row.get(3), row.get(4), row.get(5));
    }
    return table.row("all", estimate, exact, exact - estimate, "", "");
  }
}
