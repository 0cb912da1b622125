package io.tidemark.cli.verb;

import io.tidemark.cli.GivenSettings;
import io.tidemark.cli.ResultPlace;
import io.tidemark.cli.SessionFactory;
import io.tidemark.delta.DeltaTableFormat;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.Warehouse;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A verb that works on the tables of a warehouse. */
abstract class TableVerb extends Verb {

  @Option(
      names = "--warehouse",
      paramLabel = "DIR",
      defaultValue = "${env:TIDEMARK_WAREHOUSE}",
      description = "Root of the tables; without it the environment's TIDEMARK_WAREHOUSE.")
  private @Nullable String warehouse;

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE",
      description = "A Spark setting, over those of spark-submit; no secrets.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--properties-file",
      paramLabel = "FILE",
      defaultValue = "${env:TIDEMARK_PROPERTIES_FILE}",
      description =
          "Spark settings, as spark-submit takes them; without it the environment's"
              + " TIDEMARK_PROPERTIES_FILE.")
  private @Nullable Path propertiesFile;

  private @Nullable SparkSession session;

  final Warehouse warehouse() {
    if (warehouse == null || warehouse.isBlank()) {
      throw new SpecException(
          "It is not said where the tables lie: give --warehouse DIR or set TIDEMARK_WAREHOUSE.");
    }
    return new Warehouse(absolute(warehouse));
  }

  /** A local path in full, so that it means the same in every process. */
  private static String absolute(String root) {
    String trimmed =
        root.length() > 1 && root.endsWith("/") ? root.substring(0, root.length() - 1) : root;
    boolean uri = trimmed.matches("[a-zA-Z][a-zA-Z0-9+.-]*:.*");
    if (uri && trimmed.startsWith("file:")) {
      return java.net.URI.create(trimmed).getPath();
    }
    if (uri && trimmed.substring(trimmed.indexOf(':')).contains("@")) {
      throw new SpecException(
          "The address of the warehouse holds a name or a key before an '@': give the bucket alone,"
              + " s3a://bucket/path, and the keys in the environment or in --properties-file.");
    }
    return uri ? trimmed : Path.of(trimmed).toAbsolutePath().normalize().toString();
  }

  final SparkSession spark(String what) {
    session =
        SessionFactory.open(
            name() + " " + what,
            GivenSettings.of(propertiesFile, settings),
            SessionFactory.requiredFor(warehouse()));
    return session;
  }

  final TableFormat format(SparkSession spark) {
    return new DeltaTableFormat(spark);
  }

  /** Beside the tables, where these are; nowhere before there was a session to write with. */
  final Optional<ResultPlace> resultBeside(PipelineTables tables) {
    if (session == null) {
      return Optional.empty();
    }
    return ResultPlace.beside(
        tables, name() + "-" + runId + ".json", session.sparkContext().hadoopConfiguration());
  }
}
