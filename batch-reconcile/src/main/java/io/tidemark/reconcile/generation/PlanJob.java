package io.tidemark.reconcile.generation;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.fingerprint.Fingerprint.Difference;
import io.tidemark.tables.ArchiveSchema;
import io.tidemark.tables.PipelineSetup;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.ServedPipeline;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.VersionRange;
import io.tidemark.tables.journal.GenerationRow;
import io.tidemark.tables.journal.GenerationState;
import io.tidemark.tables.journal.ProgressJournal;
import io.tidemark.tables.journal.ProgressStep;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;

/**
 * The job {@code plan}: says what a changed pipeline file means. Reads logs and, where that is a
 * new generation, one day of the archive.
 */
public final class PlanJob {

  private final SparkSession spark;
  private final PipelineSetup setup;
  private final PipelineSpec spec;
  private final TableFormat format;
  private final Clock clock;

  /**
   * @param setup of the changed pipeline file
   * @param spec what that file means
   */
  public PlanJob(
      SparkSession spark, PipelineSetup setup, PipelineSpec spec, TableFormat format, Clock clock) {
    this.clock = clock;
    this.spark = spark;
    this.setup = setup;
    this.spec = spec;
    this.format = format;
  }

  /**
   * Plans.
   *
   * @throws io.tidemark.spec.error.SpecException if there are no tables
   */
  public ChangePlan run() {
    ServedPipeline pipeline = setup.openWhateverTheFileSays();
    ServedGeneration live = pipeline.live();
    Optional<GenerationRow> builtAs = setup.builtFromThis(pipeline.generations());
    List<Difference> differences = setup.differencesFrom(live.row());
    TablePath archive = live.tables().archive();
    Optional<Instant> boundary =
        new ProgressJournal(spark, format, live.tables().progress(), clock)
            .newest()
            .flatMap(ProgressStep::frontier)
            .map(spec.partition()::floor);
    ChangePlan.Kind kind = kind(live, builtAs);
    Optional<Pace> pace =
        kind == ChangePlan.Kind.NEW_GENERATION && boundary.isPresent()
            ? Pace.measured(spark, format, archive, spec, clock)
            : Optional.empty();
    return new ChangePlan(
        kind,
        live.generation(),
        builtAs.map(GenerationRow::generation),
        differences,
        newColumns(live),
        format.backlog(archive, VersionRange.through(format.version(archive))).rows(),
        format.bytes(archive),
        format.bytes(live.tables().aggregates()),
        boundary,
        pace);
  }

  /** Of the event, that the archive does not have yet. */
  private List<String> newColumns(ServedGeneration live) {
    return ArchiveSchema.newColumns(format, live.tables().archive(), spec.event());
  }

  private ChangePlan.Kind kind(ServedGeneration live, Optional<GenerationRow> builtAs) {
    if (setup.isOfThisFile(live.row())) {
      return ChangePlan.Kind.NOTHING;
    } else if (!setup.sharesArchiveWith(live.row())) {
      return ChangePlan.Kind.OTHER_ARCHIVE;
    }
    return builtAs
        .map(
            row ->
                row.state() == GenerationState.KEPT ? ChangePlan.Kind.KEPT : ChangePlan.Kind.BUILT)
        .orElse(ChangePlan.Kind.NEW_GENERATION);
  }
}
