package io.tidemark.cli.verb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.VerbResult;
import io.tidemark.merge.ConflictRetry;
import io.tidemark.reconcile.ExplainJob;
import io.tidemark.reconcile.ExplainRequest;
import io.tidemark.reconcile.RowDifference;
import io.tidemark.reconcile.generation.CompareJob;
import io.tidemark.reconcile.generation.CompareRequest;
import io.tidemark.reconcile.generation.Comparison;
import io.tidemark.spec.Percentage;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.PipelineSetup;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.ServedPipeline;
import io.tidemark.tables.journal.ComparisonNote;
import io.tidemark.tables.journal.GenerationState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark compare}: how a generation differs from the live one. */
@Command(
    name = "compare",
    description =
        "Compare the candidate with the live generation, row by row, over windows that are done in"
            + " both. Exit 3 if more rows differ than is tolerated. 'promote' relies on it.",
    footer = {
      "",
      "Examples:",
      "  tidemark compare clicks.yaml",
      "  tidemark compare clicks.yaml --expect cost_micros --html difference.html",
      "  tidemark compare clicks.yaml --tolerance 5% --events 1",
      "  tidemark compare clicks.yaml --windows 2026-03-01 2026-03-04 --most 100",
      "  tidemark compare clicks.yaml --generation g1"
    })
public final class CompareVerb extends PipelineVerb {

  /** Of one row. */
  private static final int MOST_EVENTS = 20;

  @Option(
      names = "--windows",
      arity = "2",
      paramLabel = "TIME",
      description = "Windows from one time to another (default: all that are settled in both).")
  private Instant @Nullable [] windows;

  @Option(
      names = "--expect",
      paramLabel = "MEASURE",
      split = ",",
      description =
          "A measure that the change is about: rows that differ in nothing else are as expected.")
  private Set<String> expected = new TreeSet<>();

  @Option(
      names = "--tolerance",
      paramLabel = "PERCENT",
      defaultValue = "0%",
      description =
          "The share of rows that may differ beyond that, like 5%% (default: ${DEFAULT-VALUE}).")
  private String tolerance = "0%";

  @Option(
      names = "--most",
      paramLabel = "NUMBER",
      defaultValue = "20",
      description = "How many differing rows to show; all are counted (default: ${DEFAULT-VALUE}).")
  private int most;

  @Option(
      names = "--events",
      paramLabel = "NUMBER",
      defaultValue = "0",
      description =
          "Also the events behind so many of the differing rows, by both (default: ${DEFAULT-VALUE}).")
  private int events;

  @Option(names = "--html", paramLabel = "FILE", description = "Also write a page to look at.")
  private @Nullable Path html;

  @Mixin private GenerationChoice generation = new GenerationChoice();

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    CompareRequest request = request();
    PipelineSetup setup = setup(spark);
    ServedPipeline pipeline = setup.openWhateverTheFileSays();
    ServedGeneration other =
        generation
            .given()
            .map(pipeline::require)
            .or(pipeline::candidate)
            .orElseThrow(
                () ->
                    new SpecException(
                        "There is no candidate to compare (%s). Build one with 'tidemark rebuild', or name a kept one with --generation."
                            .formatted(pipeline.generations().inWords())));
    if (other.row().state() == GenerationState.LIVE) {
      throw new SpecException(
          "Generation %s is the live one: name another.".formatted(other.generation()));
    }
    Comparison comparison =
        new CompareJob(spark, format(spark), clock).run(pipeline.live(), other, request);
    note(setup, comparison);
    ComparisonText text =
        new ComparisonText(spec, comparison, explained(spark, comparison, pipeline.live(), other));
    Optional.ofNullable(html).ifPresent(file -> write(file, text.html()));
    return new VerbResult(
        comparison.isWithin() ? ExitCode.DONE : ExitCode.DATA_REFUSED,
        text.toString(),
        text.data());
  }

  /** The first differing rows down to their events, each by the live generation and the other. */
  private List<ExplanationText> explained(
      SparkSession spark, Comparison comparison, ServedGeneration live, ServedGeneration other) {
    List<ExplanationText> explained = new ArrayList<>();
    for (RowDifference row : comparison.largest().stream().limit(events).toList()) {
      ExplainRequest request = new ExplainRequest(row.windowStart(), key(row.key()), MOST_EVENTS);
      for (ServedGeneration one : List.of(live, other)) {
        explained.add(
            new ExplanationText(
                new ExplainJob(spark, one.spec(), one.tables(), format(spark), clock)
                    .run(request)));
      }
    }
    return explained;
  }

  private static Map<String, Optional<String>> key(String json) {
    Map<String, Optional<String>> values = new LinkedHashMap<>();
    try {
      new ObjectMapper()
          .readTree(json)
          .properties()
          .forEach(
              value ->
                  values.put(
                      value.getKey(),
                      value.getValue().isNull()
                          ? Optional.empty()
                          : Optional.of(value.getValue().asText())));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a row's key is not JSON: " + json, e);
    }
    return values;
  }

  private CompareRequest request() {
    Percentage tolerated =
        Percentage.parse(tolerance)
            .orElseThrow(
                () ->
                    new SpecException(
                        "--tolerance " + tolerance + " is no percentage: write for example 5%."));
    if (most < 0 || events < 0) {
      throw new SpecException(
          "--most is %d and --events is %d: give numbers from 0 on.".formatted(most, events));
    }
    if (windows != null && !windows[0].isBefore(windows[1])) {
      throw new SpecException(
          "--windows %s %s: the first time must be before the second."
              .formatted(windows[0], windows[1]));
    }
    return new CompareRequest(
        Optional.ofNullable(windows).map(range -> range[0]),
        Optional.ofNullable(windows).map(range -> range[1]),
        expected,
        tolerated,
        most);
  }

  /** Keeps it beside the pointer, where the promotion looks for it. */
  private void note(PipelineSetup setup, Comparison comparison) {
    ComparisonNote note =
        new ComparisonNote(
            runId,
            comparison.live(),
            comparison.compared(),
            comparison.differing(),
            comparison.isWithin(),
            clock.instant());
    ConflictRetry.times(5)
        .run(
            () ->
                setup
                    .journal()
                    .change(
                        runId,
                        "compare " + comparison.other(),
                        clock,
                        generations -> generations.compared(comparison.other(), note)));
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + file, e);
    }
  }
}
