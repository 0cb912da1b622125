package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.Generation;
import io.tidemark.tables.PipelineCatalog;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.PipelineViews;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.journal.GenerationRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;

/** {@code tidemark ddl}: prints the statements for tables and views. */
@Command(
    name = "ddl",
    description = "Print the SQL that creates a pipeline's tables and views; runs none of it.",
    footer = {
      "",
      "The view of late events is made by 'tidemark sql' only: it is computed by the pipeline.",
      "",
      "Example:",
      "  tidemark ddl clicks.yaml --warehouse /data/warehouse > clicks.sql"
    })
public final class DdlVerb extends PipelineVerb {

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    PipelineTables tables =
        setup(spark)
            .live()
            .map(GenerationRow::generation)
            .map(generation -> warehouse().of(spec.name(), generation))
            .orElse(warehouse().of(spec.name(), Generation.FIRST));
    TableFormat format = format(spark);
    List<String> statements = new ArrayList<>(PipelineCatalog.ddl(spec, tables, format));
    new PipelineViews(spec, tables, format::relation)
        .queries()
        .forEach(
            (name, query) ->
                statements.add("CREATE OR REPLACE VIEW `%s` AS\n%s".formatted(name, query)));
    return VerbResult.done(
        String.join(";\n\n", statements) + ";", Map.of("statements", statements));
  }
}
