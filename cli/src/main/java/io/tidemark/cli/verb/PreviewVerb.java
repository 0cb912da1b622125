package io.tidemark.cli.verb;

import io.tidemark.cli.SessionFactory;
import io.tidemark.cli.VerbResult;
import io.tidemark.ingest.PreviewJob;
import io.tidemark.ingest.PreviewJob.Preview;
import io.tidemark.ingest.ProblemCount;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.parse.ParsedPipeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark preview}: a sample file through the spec. */
@Command(
    name = "preview",
    description = "Run a sample file through a pipeline file, without making any table.",
    footer = {"", "Example:", "  tidemark preview clicks.yaml sample.jsonl"})
public final class PreviewVerb extends Verb {

  @Parameters(index = "0", paramLabel = "PIPELINE", description = "The pipeline's YAML file.")
  private @Nullable Path file;

  @Parameters(index = "1", paramLabel = "SAMPLE", description = "A file as the source has them.")
  private @Nullable Path sample;

  @Option(
      names = "--limit",
      defaultValue = "10",
      description = "How many events and rows to show (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  VerbResult execute() {
    if (file == null || sample == null) {
      throw new IllegalStateException("a verb without its files");
    }
    ParsedPipeline parsed = new PipelineFile(file).parse();
    parsed.warnings().forEach(warning -> say("Warning: " + warning));
    if (!Files.exists(sample)) {
      throw new SpecException("There is no sample file " + sample + ". Mend the path.");
    }
    SparkSession spark = SessionFactory.open("preview " + parsed.spec().name(), Map.of());
    Preview preview =
        new PreviewJob(spark, parsed.spec()).run(sample.toAbsolutePath().toString(), limit);
    List<String> events = preview.events().toJSON().collectAsList();
    List<String> rows = preview.rows().toJSON().collectAsList();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("records", preview.records());
    data.put("problems", ProblemCounts.data(preview.problems()));
    data.put("events", events);
    data.put("aggregates", preview.aggregates());
    data.put("rows", rows);
    return VerbResult.done(text(preview, events, rows), data);
  }

  private static String text(Preview preview, List<String> events, List<String> rows) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%d records: %d with a problem, %d filtered, %d considered.\n"
            .formatted(
                preview.records().archived(),
                preview.records().rejected(),
                preview.records().filtered(),
                preview.records().considered()));
    for (ProblemCount problem : preview.problems()) {
      text.append(
          "  %s: %d%s%n"
              .formatted(
                  problem.problem(),
                  problem.records(),
                  problem.example().map(line -> ", e.g. " + line).orElse("")));
    }
    text.append("The first events:\n");
    events.forEach(event -> text.append("  ").append(event).append('\n'));
    text.append("%d rows, one per window and key; the first:\n".formatted(preview.aggregates()));
    rows.forEach(row -> text.append("  ").append(row).append('\n'));
    return text.toString().stripTrailing();
  }
}
