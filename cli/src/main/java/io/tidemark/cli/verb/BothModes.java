package io.tidemark.cli.verb;

import io.tidemark.cli.ExitCode;
import io.tidemark.cli.VerbResult;
import io.tidemark.ingest.AggregateJob;
import io.tidemark.ingest.StopSignal;
import io.tidemark.ingest.StreamRun;
import io.tidemark.ingest.StreamRun.Pace;
import io.tidemark.reconcile.BothModesJob;
import io.tidemark.reconcile.BothModesJob.Comparison;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/** {@code verify --both-modes}: makes tables for the stream, compares, and removes them. */
final class BothModes {

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final Clock clock;

  BothModes(
      SparkSession spark,
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      Clock clock) {
    this.spark = spark;
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.clock = clock;
  }

  VerbResult compare(LocalDate day, String runId, Consumer<String> messages) {
    PipelineTables scratch =
        new PipelineTables(tables.bothModes() + "/" + runId, tables.generation());
    try {
      return answer(
          new BothModesJob(spark, spec, tables, format)
              .run(
                  day,
                  scratch,
                  (closingNoWindow, itsTables) ->
                      new StreamRun(StreamingVerb.PATIENCE, messages)
                          .run(
                              List.of(
                                  new AggregateJob(
                                      spark, closingNoWindow, itsTables, format, clock)),
                              new Pace.AvailableNow(),
                              new StopSignal())));
    } finally {
      delete(new Path(scratch.root()));
    }
  }

  private void delete(Path folder) {
    try {
      folder.getFileSystem(spark.sparkContext().hadoopConfiguration()).delete(folder, true);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot remove " + folder + ", which nothing needs any more: remove it by hand", e);
    }
  }

  private static VerbResult answer(Comparison comparison) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("state", comparison.differing() == 0 ? "equal" : "different");
    data.put("day", comparison.day());
    data.put("archive_version", comparison.archiveVersion());
    data.put("runs", comparison.runs());
    data.put("agreed", comparison.agreed());
    data.put("unlike_copies", comparison.unlikeCopies());
    data.put("differing", comparison.differing());
    data.put("differences", Differences.data(comparison.differences()));
    String copies =
        comparison.unlikeCopies() == 0
            ? ""
            : "\n%d more rows have copies of an event with unlike values: the stream may count another one of them."
                .formatted(comparison.unlikeCopies());
    if (comparison.differing() == 0) {
      return VerbResult.done(
          "%d rows of %s are the same by the stream's code, in %d runs, and by a recount of archive version %d.%s"
              .formatted(
                  comparison.agreed(),
                  comparison.day(),
                  comparison.runs(),
                  comparison.archiveVersion(),
                  copies),
          data);
    }
    return new VerbResult(
        ExitCode.DATA_REFUSED,
        "%d rows of %s are not the same by the stream's code (before) and by a recount of archive version %d (after); %d are.%s\n%sPlease report this: the two must agree."
            .formatted(
                comparison.differing(),
                comparison.day(),
                comparison.archiveVersion(),
                comparison.agreed(),
                copies,
                Differences.text(comparison.differences())),
        data);
  }
}
