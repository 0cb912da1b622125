package io.tidemark.cli.verb;

import io.tidemark.cli.GracefulStop;
import io.tidemark.cli.VerbResult;
import io.tidemark.ingest.AggregateJob;
import io.tidemark.ingest.BatchTally;
import io.tidemark.ingest.StreamJob;
import io.tidemark.ingest.StreamRun;
import io.tidemark.ingest.StreamRun.Pace;
import io.tidemark.ingest.StreamRun.Wanted;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.PipelineSetup;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.ServedPipeline;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.journal.GenerationState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** A verb that runs streaming queries. */
abstract class StreamingVerb extends PipelineVerb {

  /** How long a stop waits for the running batch. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final Duration DEFAULT_TRIGGER = Duration.ofSeconds(10);

  /** Either of the two. */
  static final class PaceOptions {
    @Option(names = "--available-now", description = "Read what is there now, then end.")
    private boolean availableNow;

    @Option(
        names = "--trigger",
        paramLabel = "DURATION",
        description = "Run until stopped, a batch at most each DURATION (default: 10s).")
    private Duration trigger = DEFAULT_TRIGGER;
  }

  @ArgGroup private PaceOptions pace = new PaceOptions();

  @Option(names = "--dry-run", description = "Check everything and say what would run.")
  private boolean dryRun;

  /**
   * The jobs of the pipeline as it is now.
   *
   * @param spec what the file says: of the source it says the same as every generation
   */
  abstract List<Wanted> jobs(
      SparkSession spark, PipelineSpec spec, ServedPipeline pipeline, TableFormat format);

  /** Looks whether what is asked for is there. */
  void require(ServedPipeline pipeline) {}

  /** Those that feed generations; the live one's is required. */
  final List<Wanted> aggregateJobs(
      SparkSession spark, List<ServedGeneration> generations, TableFormat format) {
    return generations.stream()
        .map(
            one ->
                new Wanted(
                    new AggregateJob(spark, one, format, clock),
                    generations.size() == 1 || one.row().state() == GenerationState.LIVE))
        .toList();
  }

  @Override
  final VerbResult execute(PipelineSpec spec, SparkSession spark) {
    PipelineSetup setup = setup(spark);
    ServedPipeline first = setup.open();
    require(first);
    if (dryRun) {
      return dryRun(jobs(spark, spec, first, format(spark)).stream().map(Wanted::job).toList());
    }
    GracefulStop stop = GracefulStop.onTermination();
    Pace howFast = pace.availableNow ? new Pace.AvailableNow() : new Pace.Every(pace.trigger);
    List<BatchTally> tallies =
        new StreamRun(PATIENCE, this::say)
            .run(
                () -> jobs(spark, spec, setup.openWhateverTheFileSays(), format(spark)),
                howFast,
                stop.signal());
    return done(tallies, stop.signal().isRequested());
  }

  private VerbResult dryRun(List<StreamJob> jobs) {
    jobs.forEach(StreamJob::check);
    String pacing =
        pace.availableNow
            ? "what is there now"
            : "a batch at most each " + pace.trigger.toSeconds() + " s";
    String text =
        jobs.stream()
            .map(
                job ->
                    "Would %s on checkpoint %s%s: %s."
                        .formatted(
                            job.name(),
                            job.checkpoint().location(),
                            job.checkpoint().exists() ? "" : " (new)",
                            pacing))
            .collect(Collectors.joining("\n"));
    return VerbResult.done(text, Map.of("would_run", jobs.stream().map(StreamJob::name).toList()));
  }

  private static VerbResult done(List<BatchTally> tallies, boolean stopped) {
    List<Map<String, Object>> data = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (BatchTally tally : tallies) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("job", tally.job());
      one.put("batches", tally.batches());
      one.put("input_rows", tally.inputRows());
      data.add(one);
      lines.add(
          "%s: %d input rows in %d %s."
              .formatted(
                  tally.job(),
                  tally.inputRows(),
                  tally.batches(),
                  tally.batches() == 1 ? "batch" : "batches"));
    }
    if (stopped) {
      lines.add("Stopped after the running batch, as asked.");
    }
    return VerbResult.done(String.join("\n", lines), Map.of("jobs", data, "stopped", stopped));
  }
}
