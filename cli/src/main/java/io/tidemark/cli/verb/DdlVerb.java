package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.CanaryViews;
import io.tidemark.tables.Generation;
import io.tidemark.tables.PipelineCatalog;
import io.tidemark.tables.PipelineSetup;
import io.tidemark.tables.PipelineViews;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.ServedPipeline;
import io.tidemark.tables.TableFormat;
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
    TableFormat format = format(spark);
    PipelineSetup setup = setup(spark);
    if (setup.live().isEmpty()) {
      return answer(
          PipelineCatalog.ddl(spec, warehouse().of(spec.name(), Generation.FIRST), format),
          new PipelineViews(spec, warehouse().of(spec.name(), Generation.FIRST), format::relation)
              .queries());
    }
    ServedPipeline pipeline = setup.openWhateverTheFileSays();
    ServedGeneration live = pipeline.live();
    return answer(
        PipelineCatalog.ddl(live.spec(), live.tables(), format),
        pipeline
            .canary()
            .map(
                candidate ->
                    new CanaryViews(live, candidate, format::relation)
                        .queries(
                            CanaryViews.condition(
                                live.spec(), candidate.row().canary(), "current_user()")))
            .orElseGet(
                () -> new PipelineViews(live.spec(), live.tables(), format::relation).queries()));
  }

  private static VerbResult answer(List<String> tables, Map<String, String> views) {
    List<String> statements = new ArrayList<>(tables);
    views.forEach(
        (name, query) ->
            statements.add("CREATE OR REPLACE VIEW `%s` AS\n%s".formatted(name, query)));
    return VerbResult.done(
        String.join(";\n\n", statements) + ";", Map.of("statements", statements));
  }
}
