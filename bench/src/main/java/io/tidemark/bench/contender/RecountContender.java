package io.tidemark.bench.contender;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.window;

import io.tidemark.delta.DeltaTableFormat;
import io.tidemark.reconcile.SettleJob;
import io.tidemark.reconcile.SettleRequest;
import io.tidemark.reconcile.UnsettleJob;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.Aggregation;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.computation.Memberships;
import io.tidemark.spec.computation.StreamBounds;
import io.tidemark.spec.parse.PipelineParser;
import io.tidemark.tables.Generation;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.Warehouse;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Counts a whole archive exactly, each copy once, again and again: {@code HOW PIPELINE WAREHOUSE
 * OUT WARM-UPS RUNS}. {@code WAREHOUSE} has an archive that the stream has read.
 */
public final class RecountContender {

  /** By what. */
  private enum How {
    /** The recount of a settlement, with its balance, into no sink. */
    RECOUNT,
    /** A settlement of all windows over the stream's estimates, undone after each run. */
    SETTLE,
    /** What one writes first: deduplicate, count, overwrite the table. */
    OVERWRITE,
    /** DuckDB over the same Parquet files, into a table of its own in memory. */
    DUCKDB
  }

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final Path out;

  private RecountContender(
      SparkSession spark, PipelineSpec spec, PipelineTables tables, TableFormat format, Path out) {
    this.spark = spark;
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.out = out;
  }

  /** A way to count, and what it has counted. */
  private interface Way {

    void run() throws Exception;

    /** Writes the result for comparison, and undoes what stands in the way of the next count. */
    void writeResult(Path csv) throws Exception;
  }

  public static void main(String[] arguments) {
    Contender.main(
        Map.of(),
        spark -> {
          PipelineSpec spec =
              PipelineParser.parse(arguments[1], Files.readString(Path.of(arguments[1]))).spec();
          PipelineTables tables = new Warehouse(arguments[2]).of(spec.name(), Generation.FIRST);
          Path out = Path.of(arguments[3]).toAbsolutePath();
          new RecountContender(spark, spec, tables, new DeltaTableFormat(spark), out)
              .run(
                  How.valueOf(arguments[0]),
                  Integer.parseInt(arguments[4]),
                  Integer.parseInt(arguments[5]));
        });
  }

  private void run(How how, int warmUps, int runs) throws Exception {
    Way way =
        switch (how) {
          case RECOUNT -> recount();
          case SETTLE -> settle();
          case OVERWRITE -> overwrite();
          case DUCKDB -> duckDb();
        };
    try (Measurements measurements = new Measurements(out.resolve("measurements.jsonl"))) {
      for (int run = 0; run < warmUps + runs; run++) {
        measurements.measure(
            "run " + run,
            run >= warmUps,
            () -> {
              way.run();
              return Map.of();
            });
        way.writeResult(out.resolve("result.csv"));
      }
    }
  }

  private Way recount() {
    Dataset<Row> rows =
        Aggregation.ofMemberships(
            Memberships.of(
                format.readWithCommitVersions(tables.archive(), format.version(tables.archive())),
                spec),
            spec,
            StreamBounds.none(spark));
    return new Way() {
      @Override
      public void run() {
        rows.write().format("noop").mode("overwrite").save();
      }

      @Override
      public void writeResult(Path csv) throws Exception {
        ResultCsv.write(rows, csv);
      }
    };
  }

  private Way settle() {
    SettleJob settle =
        new SettleJob(spark, spec, tables, format, Clock.systemUTC(), RecountContender::attempt);
    UnsettleJob unsettle =
        new UnsettleJob(spark, spec, tables, format, Clock.systemUTC(), RecountContender::attempt);
    return new Way() {
      @Override
      public void run() {
        settle.run(new SettleRequest.Close(Optional.empty(), "a benchmark"));
      }

      @Override
      public void writeResult(Path csv) throws Exception {
        ResultCsv.write(format.read(tables.aggregates()), csv);
        if (unsettle.run("a benchmark").isEmpty()) {
          throw new IllegalStateException("nothing was settled");
        }
      }
    };
  }

  private static String attempt() {
    return UUID.randomUUID().toString();
  }

  private Way overwrite() {
    String table = out + "/overwritten";
    return new Way() {
      @Override
      public void run() {
        goodEvents()
            .dropDuplicates("event_id")
            .groupBy(window(col("event_time"), "1 minute"), col("key"))
            .agg(count(lit(1)).as("event_count"), sum("value").as("total"))
            .selectExpr("window.start AS window_start", "key", "event_count", "total")
            .write()
            .format("delta")
            .mode("overwrite")
            .save(table);
      }

      @Override
      public void writeResult(Path csv) throws Exception {
        ResultCsv.write(spark.read().format("delta").load(table), csv);
      }
    };
  }

  private Dataset<Row> goodEvents() {
    return format
        .read(tables.archive())
        .filter(col(ArchiveColumns.PROBLEM).isNull())
        .select("event.event_id", "event.key", "event.value", "event_time");
  }

  private Way duckDb() throws SQLException {
    String files =
        Arrays.stream(format.read(tables.archive()).inputFiles())
            .map(file -> "'" + Path.of(URI.create(file)) + "'")
            .collect(Collectors.joining(", ", "[", "]"));
    Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
    execute(duckDb, "SET TimeZone = 'UTC'");
    return new Way() {
      @Override
      public void run() throws SQLException {
        execute(
            duckDb,
            """
            CREATE OR REPLACE TEMP TABLE counted AS
            SELECT time_bucket(INTERVAL 1 MINUTE, event_time) AS window_start, key,
              count(*) AS event_count, sum(value) AS total
            FROM (
              SELECT any_value(event_time) AS event_time, any_value(event.key) AS key,
                any_value(event.value) AS value
              FROM read_parquet(%s)
              WHERE problem IS NULL
              GROUP BY event.event_id)
            GROUP BY ALL"""
                .formatted(files));
      }

      @Override
      public void writeResult(Path csv) throws SQLException {
        execute(
            duckDb,
            """
            COPY (
              SELECT strftime(window_start, '%%Y-%%m-%%dT%%H:%%M:%%SZ'), key, event_count, total
              FROM counted)
            TO '%s' (HEADER false)"""
                .formatted(csv));
      }
    };
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
