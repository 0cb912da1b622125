package io.tidemark.cli.verb;

import io.tidemark.cli.SessionFactory;
import io.tidemark.delta.DeltaTableFormat;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.Warehouse;
import java.nio.file.Files;
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
      description = "A Spark setting, over those of spark-submit.")
  private Map<String, String> settings = new LinkedHashMap<>();

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
    return uri ? trimmed : Path.of(trimmed).toAbsolutePath().normalize().toString();
  }

  final SparkSession spark(String what) {
    SecretSettings.requireNoneOf(settings.keySet());
    return SessionFactory.open(name() + " " + what, settings);
  }

  final TableFormat format(SparkSession spark) {
    return new DeltaTableFormat(spark);
  }

  /** Beside the tables, where these are and the file system is this machine's. */
  final Optional<Path> resultBeside(PipelineTables tables) {
    if (tables.root().contains(":") || !Files.isDirectory(Path.of(tables.root()))) {
      return Optional.empty();
    }
    return Optional.of(Path.of(tables.runs(), name() + "-" + runId + ".json"));
  }
}
