package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.ingest.ImportJob;
import io.tidemark.ingest.ImportOutcome;
import io.tidemark.ingest.ImportOutcome.ImportedRecords;
import io.tidemark.ingest.ProblemCount;
import io.tidemark.spec.PipelineSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark import}: history to archive. */
@Command(
    name = "import",
    description =
        "Take files of history into the archive, however old: the stream skips them, the next"
            + " settlement adopts them. The same files again change nothing.",
    footer = {
      "",
      "Examples:",
      "  tidemark import clicks.yaml /backup/2025 --dry-run",
      "  tidemark import clicks.yaml /backup/2025 '/backup/2026/0[12]/*.jsonl'",
      "  tidemark import clicks.yaml missed.jsonl --json"
    })
public final class ImportVerb extends PipelineVerb {

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "FILES",
      description = "Files as the source has them, directories or globs.")
  private List<String> files = new ArrayList<>();

  @Option(names = "--dry-run", description = "Read and count; write nothing.")
  private boolean dryRun;

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    ImportJob job =
        new ImportJob(spark, spec, setup(spark).open().live().tables(), format(spark), runId);
    return answer(dryRun ? job.dryRun(files) : job.run(files));
  }

  static VerbResult answer(ImportOutcome outcome) {
    Map<String, Object> data = new LinkedHashMap<>();
    if (outcome instanceof ImportOutcome.Imported imported) {
      put(data, "imported", outcome);
      data.put("archive_version", imported.archiveVersion());
      put(data, imported.records());
      return VerbResult.done(
          "%s imported: %s.%s"
              .formatted(
                  records(imported.records().counts().archived()),
                  fates(imported.records()),
                  imported.records().counts().considered() == 0
                      ? ""
                      : " The next settlement adopts them."),
          data);
    }
    if (outcome instanceof ImportOutcome.DryRun dry) {
      put(data, "dry-run", outcome);
      put(data, dry.records());
      return VerbResult.done(
          "%s would be imported: %s.\nNothing was written."
              .formatted(records(dry.records().counts().archived()), fates(dry.records())),
          data);
    }
    put(data, "imported-before", outcome);
    return VerbResult.done("Nothing to import: these files have been imported before.", data);
  }

  private static String records(long number) {
    return number == 1 ? "1 record" : number + " records";
  }

  private static String fates(ImportedRecords records) {
    List<String> fates = new ArrayList<>();
    fates.add(records.counts().considered() + " considered");
    if (records.counts().filtered() > 0) {
      fates.add(records.counts().filtered() + " filtered");
    }
    for (ProblemCount problem : records.problems()) {
      fates.add(problem.records() + " " + problem.problem());
    }
    return String.join(", ", fates);
  }

  private static void put(Map<String, Object> data, String state, ImportOutcome outcome) {
    data.put("state", state);
    data.put("import_id", outcome.importId());
    data.put("files", outcome.files());
  }

  private static void put(Map<String, Object> data, ImportedRecords records) {
    data.put("records", records.counts());
    data.put("problems", ProblemCounts.data(records.problems()));
  }
}
