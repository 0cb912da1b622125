package io.tidemark.cli.verb;

import io.tidemark.cli.VerbResult;
import io.tidemark.reconcile.ExplainJob;
import io.tidemark.reconcile.ExplainRequest;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.ServedGeneration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark explain}: why one row is what it is. */
@Command(
    name = "explain",
    description =
        "Say of one row which archived records are behind it, what became of each, and which"
            + " settlement changed it; nothing is written.",
    footer = {
      "",
      "Examples:",
      "  tidemark explain clicks.yaml --window 2026-03-01T12:00:00Z --key ad_id=a-17",
      "  tidemark explain clicks.yaml --window 2026-03-01T12:00:00Z --key-null ad_id --json"
    })
public final class ExplainVerb extends PipelineVerb {

  @Option(
      names = "--window",
      required = true,
      paramLabel = "START",
      description = "Start of the row's window (a day means its start, UTC).")
  private @Nullable Instant window;

  @Option(
      names = "--key",
      paramLabel = "NAME=VALUE",
      description = "The value of a key column; NAME= is the empty text.")
  private List<String> keys = new ArrayList<>();

  @Option(names = "--key-null", paramLabel = "NAME", description = "A key column that is null.")
  private List<String> nullKeys = new ArrayList<>();

  @Option(
      names = "--most",
      paramLabel = "NUMBER",
      defaultValue = "50",
      description = "How many records to list; all are counted (default: ${DEFAULT-VALUE}).")
  private int most;

  @Mixin private GenerationChoice generation = new GenerationChoice();

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    if (window == null) {
      throw new IllegalStateException("a verb without its window");
    }
    if (most < 0) {
      throw new SpecException("--most is " + most + ": give a number from 0 on.");
    }
    ExplainRequest request = new ExplainRequest(window, key(), most);
    ServedGeneration chosen = generation.of(setup(spark).open());
    ExplanationText text =
        new ExplanationText(
            new ExplainJob(spark, chosen.spec(), chosen.tables(), format(spark), clock)
                .run(request));
    return VerbResult.done(text.toString(), text.data());
  }

  private Map<String, Optional<String>> key() {
    Map<String, Optional<String>> values = new LinkedHashMap<>();
    for (String key : keys) {
      int equals = key.indexOf('=');
      if (equals < 1) {
        throw new SpecException(
            "--key " + key + " is no NAME=VALUE: write for example --key ad_id=a-17.");
      }
      put(values, key.substring(0, equals), Optional.of(key.substring(equals + 1)));
    }
    nullKeys.forEach(name -> put(values, name, Optional.empty()));
    return values;
  }

  private static void put(
      Map<String, Optional<String>> values, String name, Optional<String> value) {
    if (values.put(name, value) != null) {
      throw new SpecException("Key " + name + " is given twice: give it one value.");
    }
  }
}
