package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.Generation;
import io.tidemark.tables.PipelineCatalog;
import io.tidemark.tables.PipelineTables;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tidemark init}: creates a pipeline's tables. */
@Command(
    name = "init",
    description = "Create a pipeline's tables; run again, it changes nothing.",
    footer = {"", "Example:", "  tidemark init clicks.yaml --warehouse /data/warehouse"})
public final class InitVerb extends PipelineVerb {

  @Option(names = "--dry-run", description = "Print the statements and create nothing.")
  private boolean dryRun;

  @Override
  boolean warns() {
    return true;
  }

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    if (dryRun) {
      PipelineTables tables = warehouse().of(spec.name(), Generation.FIRST);
      List<String> statements = PipelineCatalog.ddl(spec, tables, format(spark));
      return VerbResult.done(
          String.join(";\n\n", statements) + ";", Map.of("statements", statements));
    }
    PipelineTables tables = setup(spark).create(clock);
    List<String> paths =
        PipelineCatalog.tables(spec, tables).keySet().stream().map(Object::toString).toList();
    return VerbResult.done(
        "Pipeline " + spec.name() + " has its tables:\n  " + String.join("\n  ", paths),
        Map.of("pipeline", spec.name().value(), "tables", paths));
  }
}
