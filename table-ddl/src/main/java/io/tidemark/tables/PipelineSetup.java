package io.tidemark.tables;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.spec.fingerprint.Fingerprint;
import io.tidemark.spec.fingerprint.Fingerprint.Difference;
import io.tidemark.spec.fingerprint.Fingerprints;
import io.tidemark.tables.journal.GenerationJournal;
import io.tidemark.tables.journal.GenerationRow;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;

/**
 * The way to a pipeline's tables: makes them, or opens them for a job after checking that they are
 * there, were built from this spec, and are safe to write to.
 */
public final class PipelineSetup {

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;

  public PipelineSetup(
      SparkSession spark, PipelineSpec spec, Warehouse warehouse, TableFormat format) {
    this.spark = spark;
    this.spec = spec;
    this.tables = warehouse.of(spec.name(), Generation.FIRST);
    this.format = format;
  }

  /**
   * Creates what is not there yet; run again, it changes nothing.
   *
   * @throws SpecException if there are tables of another definition
   * @throws UnsafeEnvironmentException if commits would be unsafe there
   */
  public PipelineTables create(Clock clock) {
    requireSafe();
    Optional<GenerationRow> live = live();
    live.ifPresent(this::requireSameDefinition);
    PipelineCatalog.tables(spec, tables).forEach(format::create);
    if (live.isEmpty()) {
      Fingerprint fingerprint = Fingerprints.generation(spec);
      new GenerationJournal(spark, format, tables.generations())
          .begin(
              new GenerationRow(
                  tables.generation(),
                  Fingerprints.archive(spec).sha256(),
                  fingerprint.sha256(),
                  fingerprint.canonicalText(),
                  clock.instant()));
    }
    return tables;
  }

  /**
   * The tables, for a job.
   *
   * @throws SpecException if they are not there, or were built from another definition
   * @throws UnsafeEnvironmentException if commits would be unsafe there
   */
  public PipelineTables open() {
    requireSafe();
    requireSameDefinition(
        live()
            .orElseThrow(
                () ->
                    new SpecException(
                        "Pipeline "
                            + spec.name()
                            + " has no tables in "
                            + tables.root()
                            + ". Create them with 'tidemark init', or mend --warehouse.")));
    return tables;
  }

  private void requireSafe() {
    format
        .unsafeFor(tables.aggregates())
        .ifPresent(
            why -> {
              throw new UnsafeEnvironmentException(
                  "Refusing to work on " + tables.root() + ": " + why);
            });
  }

  private Optional<GenerationRow> live() {
    return format.exists(tables.generations())
        ? new GenerationJournal(spark, format, tables.generations()).live()
        : Optional.empty();
  }

  private void requireSameDefinition(GenerationRow live) {
    List<Difference> differences =
        Fingerprints.generation(spec).differencesFrom(new Fingerprint(live.definition()));
    if (!differences.isEmpty()) {
      throw new SpecException(
          "The pipeline file differs from what generation "
              + live.generation()
              + " of "
              + spec.name()
              + " in "
              + tables.root()
              + " was built from:\n"
              + differences.stream()
                  .map(d -> "  %s: was %s, is %s".formatted(d.part(), d.before(), d.after()))
                  .collect(Collectors.joining("\n"))
              + "\nA changed definition never runs on tables and checkpoints of another. Take the"
              + " change back, or use a new --warehouse path and ingest again.");
    }
  }
}
