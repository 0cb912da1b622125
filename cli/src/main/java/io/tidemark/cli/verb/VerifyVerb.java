package io.tidemark.cli.verb;

import io.tidemark.cli.ExitCode;
import io.tidemark.cli.VerbResult;
import io.tidemark.ingest.kafka.Contiguity;
import io.tidemark.ingest.kafka.ContiguityJob;
import io.tidemark.reconcile.AsOfSettlement;
import io.tidemark.reconcile.VerifyJob;
import io.tidemark.reconcile.VerifyJob.Verification;
import io.tidemark.reconcile.WindowBalance;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.Source;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.journal.SourceGap;
import io.tidemark.tables.journal.SourceGapJournal;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark verify}: proves that what is settled equals a recount. */
@Command(
    name = "verify",
    description =
        "Recount everything that is settled and compare, both ways; or a day in both modes; or the"
            + " archive with its source. Exit 3 if anything differs.",
    footer = {
      "",
      "Examples:",
      "  tidemark verify clicks.yaml",
      "  tidemark verify clicks.yaml --as-of-settlement 12",
      "  tidemark verify clicks.yaml --both-modes 2026-03-01",
      "  tidemark verify clicks.yaml --source"
    })
public final class VerifyVerb extends PipelineVerb {

  @Mixin private Moment moment = new Moment();

  @Option(
      names = "--both-modes",
      paramLabel = "DAY",
      description =
          "Run this day of the archive (UTC) through the streaming code too, on tables of its own,"
              + " and compare that with a recount.")
  private @Nullable LocalDate bothModes;

  @Option(
      names = "--source",
      description =
          "Instead of rows: whether the archive holds each offset of the topic once (Kafka).")
  private boolean source;

  @Option(
      names = "--acknowledge-gaps",
      paramLabel = "REASON",
      description =
          "With --source: status no longer shows the gaps that were accepted with --accept-source-gap.")
  private @Nullable String acknowledgeGaps;

  @Mixin private GenerationChoice generation = new GenerationChoice();

  @Override
  VerbResult execute(PipelineSpec spec, SparkSession spark) {
    ServedGeneration chosen = generation.of(setup(spark).open());
    PipelineTables tables = chosen.tables();
    if (source || acknowledgeGaps != null) {
      return source(spec, tables, spark);
    }
    if (bothModes != null) {
      if (!moment.isNow()) {
        throw new SpecException("--both-modes goes without --as-of-settlement.");
      }
      return new BothModes(spark, chosen.spec(), tables, format(spark), clock)
          .compare(bothModes, runId, this::say);
    }
    AsOfSettlement shown = moment.of(format(spark), tables, clock);
    Optional<Verification> found =
        new VerifyJob(spark, chosen.spec(), tables, shown.tables(), shown.clock()).run();
    if (found.isEmpty()) {
      return VerbResult.done(
          "Nothing is settled yet, so there is nothing to verify.", Map.of("state", "nothing"));
    }
    Verification verification = found.get();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("state", verification.differing() == 0 ? "equal" : "different");
    data.put("settlement", verification.settlement().settlement());
    data.put("settled_through", verification.settlement().settledThrough());
    data.put("archive_version", verification.settlement().archiveVersion());
    data.put("frozen_before", verification.kept().from().orElse(null));
    data.put("counts", verification.counts());
    data.put("differences", Differences.data(verification.differences()));
    data.put("windows", verification.balance().windows());
    data.put("windows_unexplained", verification.balance().unexplained());
    data.put("residuals", verification.balance().examples());
    String balance =
        "Balance: %d memberships = %d counted + %d duplicates.\n%s"
            .formatted(
                verification.count("memberships"),
                verification.count("counted"),
                verification.count("duplicates"),
                balance(verification.balance()));
    String frozen =
        verification
            .kept()
            .from()
            .map(
                day ->
                    "\nWindows that start before %s are frozen and were not recounted: %s."
                        .formatted(day, verification.kept().inWords()))
            .orElse("");
    if (verification.differing() == 0) {
      return VerbResult.done(
          "All %d settled rows through %s equal a recount of archive version %d.\n%s%s"
              .formatted(
                  verification.count("agreed"),
                  verification.settlement().settledThrough(),
                  verification.settlement().archiveVersion(),
                  balance,
                  frozen),
          data);
    }
    return new VerbResult(
        ExitCode.DATA_REFUSED,
        ("%d settled rows through %s are not what a recount of archive version %d gives"
                + " (%d corrected, %d missing, %d phantom):\n%s%s%s\n"
                + "Something other than Tidemark has changed the table. To have exact numbers"
                + " again, build a new generation: tidemark rebuild --again.")
            .formatted(
                verification.differing(),
                verification.settlement().settledThrough(),
                verification.settlement().archiveVersion(),
                verification.count("corrected"),
                verification.count("missing"),
                verification.count("phantom"),
                Differences.text(verification.differences()),
                balance,
                frozen),
        data);
  }

  private VerbResult source(PipelineSpec spec, PipelineTables tables, SparkSession spark) {
    if (!source || bothModes != null || !moment.isNow()) {
      throw new SpecException(
          "--acknowledge-gaps goes with --source, and --source with neither --both-modes nor"
              + " --as-of-settlement.");
    }
    if (!(spec.source() instanceof Source.Kafka kafka)) {
      throw new SpecException(
          "--source compares the archive with the offsets of a topic, and the source of "
              + spec.name()
              + " is files. Leave it out.");
    }
    // First: a gap can also be acknowledged whose topic is gone since.
    List<SourceGap> acknowledged =
        acknowledgeGaps == null
            ? List.of()
            : new SourceGapJournal(spark, format(spark), tables.sourceGaps(), clock)
                .acknowledge(acknowledgeGaps);
    Contiguity found = new ContiguityJob(spark, kafka, tables, format(spark), clock).run();
    return SourceCheck.answer(found, acknowledged);
  }

  private static String balance(WindowBalance balance) {
    if (balance.unexplained() == 0) {
      return "Balance of each of %d windows: exact − estimate = left out by the stream + imported."
          .formatted(balance.windows());
    }
    return balance.examples().stream()
        .map(
            window ->
                "\n  [%s, %s): exact %d − estimate %d = %d left out by the stream + %d imported (unexplained: %d)"
                    .formatted(
                        window.windowStart(),
                        window.windowEnd(),
                        window.exact(),
                        window.estimate(),
                        window.leftOut(),
                        window.imported(),
                        window.residual()))
        .collect(
            Collectors.joining(
                "",
                "Balance of %d of %d windows does not close:"
                    .formatted(balance.unexplained(), balance.windows()),
                ""));
  }
}
