package io.tidemark.cli.verb;

import io.tidemark.cli.QueryMistake;
import io.tidemark.cli.ReadOnlySql;
import io.tidemark.cli.TextTable;
import io.tidemark.cli.VerbResult;
import io.tidemark.reconcile.AsOfSettlement;
import io.tidemark.reconcile.SessionViews;
import io.tidemark.reconcile.generation.CompareJob;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.CanaryViews;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.ServedPipeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark sql}: a query on a pipeline's views. */
@Command(
    name = "sql",
    description = "Query the pipeline's views; nothing can be changed.",
    footer = {
      "",
      "Views: NAME, NAME_settled, NAME_corrections, NAME_late, NAME_progress, and with roll-ups",
      "       NAME_hourly, NAME_daily; while there is a candidate, NAME_candidate and",
      "       NAME_difference. NAME is the pipeline's.",
      "",
      "Example:",
      "  tidemark sql clicks.yaml \"SELECT status, sum(clicks) FROM ad_clicks GROUP BY status\""
    })
public final class SqlVerb extends PipelineVerb {

  @Parameters(index = "1", paramLabel = "QUERY", description = "Spark SQL, one statement.")
  private @Nullable String query;

  @Option(
      names = "--limit",
      defaultValue = "100",
      description = "How many rows to show (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Mixin private Moment moment = new Moment();

  @Mixin private GenerationChoice generation = new GenerationChoice();

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    if (query == null) {
      throw new IllegalStateException("a verb without its query");
    }
    ServedPipeline pipeline = setup(spark).open();
    ServedGeneration chosen = generation.of(pipeline);
    ReadOnlySql.require(spark, query);
    AsOfSettlement then = moment.of(format(spark), chosen.tables(), clock);
    new SessionViews(spark, chosen.spec(), chosen.tables(), then.tables(), then.clock()).register();
    if (moment.isNow() && generation.given().isEmpty()) {
      pipeline.canary().ifPresent(canary -> serve(spark, pipeline.live(), canary));
    }
    if (moment.isNow()) {
      pipeline.candidate().ifPresent(other -> register(spark, pipeline.live(), other));
    }
    try {
      return answer(spark.sql(query));
    } catch (Exception e) {
      Optional<SpecException> mistake = QueryMistake.in(e);
      if (mistake.isPresent()) {
        throw mistake.get();
      }
      throw e;
    }
  }

  /** The usual views, of whichever of the two the session's user sees. */
  private void serve(SparkSession spark, ServedGeneration live, ServedGeneration canary) {
    String chosen =
        switch (spark.conf().get("tidemark.canary", "")) {
          case "on" -> "true";
          case "off" -> "false";
          default -> CanaryViews.condition(live.spec(), canary.row().canary(), "current_user()");
        };
    new CanaryViews(live, canary, format(spark)::relation)
        .queries(chosen)
        .forEach((view, query) -> spark.sql(query).createOrReplaceTempView(view));
  }

  /** The candidate's views under a name of their own, and its differences from the live one. */
  private void register(SparkSession spark, ServedGeneration live, ServedGeneration candidate) {
    SessionViews.ofCandidate(spark, candidate, format(spark), clock).register();
    new CompareJob(spark, format(spark), clock)
        .differences(live, candidate)
        .ifPresent(
            rows -> rows.createOrReplaceTempView(live.spec().name().value() + "_difference"));
  }

  private VerbResult answer(Dataset<Row> answer) {
    List<String> columns = Arrays.asList(answer.columns());
    List<Row> rows = new ArrayList<>(asText(answer).takeAsList(limit + 1));
    boolean more = rows.size() > limit;
    List<Row> shown = more ? rows.subList(0, limit) : rows;
    TextTable table = new TextTable(columns.toArray(String[]::new));
    List<Map<String, Object>> data = new ArrayList<>();
    for (Row row : shown) {
      Map<String, Object> cells = new LinkedHashMap<>();
      Object[] texts = new Object[columns.size()];
      for (int i = 0; i < texts.length; i++) {
        texts[i] = row.isNullAt(i) ? "NULL" : row.getString(i);
        cells.put(columns.get(i), row.isNullAt(i) ? null : row.getString(i));
      }
      table.row(texts);
      data.add(cells);
    }
    String rest = more ? "\n(only the first " + limit + " rows; --limit shows more)" : "";
    return VerbResult.done(table + rest, Map.of("rows", data, "more", more));
  }

  /** Every value as Spark writes it; binary values as hexadecimal digits. */
  private static Dataset<Row> asText(Dataset<Row> answer) {
    String[] names = new String[answer.columns().length];
    Arrays.setAll(names, i -> "c" + i);
    Dataset<Row> positioned = answer.toDF(names);
    return positioned.select(
        Arrays.stream(positioned.schema().fields())
            .map(
                field ->
                    field.dataType().equals(org.apache.spark.sql.types.DataTypes.BinaryType)
                        ? functions.hex(functions.col(field.name()))
                        : functions.col(field.name()).cast("string"))
            .toArray(org.apache.spark.sql.Column[]::new));
  }
}
