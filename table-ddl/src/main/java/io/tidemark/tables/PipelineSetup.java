package io.tidemark.tables;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.spec.fingerprint.Fingerprint;
import io.tidemark.spec.fingerprint.Fingerprint.Difference;
import io.tidemark.spec.fingerprint.Fingerprints;
import io.tidemark.spec.parse.ParsedPipeline;
import io.tidemark.spec.parse.PipelineParser;
import io.tidemark.tables.journal.GenerationJournal;
import io.tidemark.tables.journal.GenerationRow;
import io.tidemark.tables.journal.GenerationRow.Definition;
import io.tidemark.tables.journal.GenerationState;
import io.tidemark.tables.journal.Generations;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;

/**
 * The way to a pipeline's tables: makes them, or opens them for a job after checking that they are
 * there, that one of the generations was built from this file, and that they are safe to write to.
 */
public final class PipelineSetup {

  private final SparkSession spark;
  private final ParsedPipeline file;
  private final PipelineTables first;
  private final TableFormat format;

  public PipelineSetup(
      SparkSession spark, ParsedPipeline file, Warehouse warehouse, TableFormat format) {
    this.spark = spark;
    this.file = file;
    this.first = warehouse.of(file.spec().name(), Generation.FIRST);
    this.format = format;
  }

  /**
   * Creates what is not there yet; run again, it changes nothing.
   *
   * @return the live generation's tables
   * @throws SpecException if there are tables, and none was built from this file
   * @throws UnsafeEnvironmentException if commits would be unsafe there
   */
  public PipelineTables create(Clock clock) {
    requireSafe();
    Generations generations = generations();
    if (generations.live().isPresent()) {
      requireKnown(generations);
      return first.of(generations.live().get().generation());
    }
    PipelineCatalog.tables(file.spec(), first).forEach(format::create);
    try {
      journal()
          .change(
              UUID.randomUUID().toString(),
              "create " + Generation.FIRST,
              clock,
              none -> none.with(GenerationRow.first(definition(), clock.instant())));
    } catch (ConflictException e) {
      // Another process made them at the same time; one of the two did.
      requireKnown(generations());
    }
    return first;
  }

  /**
   * The generations, for a job.
   *
   * @throws SpecException if there are no tables, or none was built from this file
   * @throws UnsafeEnvironmentException if commits would be unsafe there
   */
  public ServedPipeline open() {
    ServedPipeline pipeline = openWhateverTheFileSays();
    requireKnown(pipeline.generations());
    return pipeline;
  }

  /**
   * The same for a job that is about a changed file.
   *
   * @throws SpecException if there are no tables
   * @throws UnsafeEnvironmentException if commits would be unsafe there
   */
  public ServedPipeline openWhateverTheFileSays() {
    requireSafe();
    Generations generations = generations();
    if (generations.live().isEmpty()) {
      throw new SpecException(
          "Pipeline "
              + file.spec().name()
              + " has no tables in "
              + first.root()
              + ". Create them with 'tidemark init', or mend --warehouse.");
    }
    return new ServedPipeline(
        generations,
        generations.fed().stream().map(this::served).toList(),
        generations.building().map(this::served));
  }

  /** The live generation; empty: there are no tables yet. */
  public Optional<GenerationRow> live() {
    return generations().live();
  }

  /** What the file means. */
  public Definition definition() {
    Fingerprint fingerprint = Fingerprints.generation(file.spec());
    return new Definition(
        Fingerprints.archive(file.spec()).sha256(),
        fingerprint.sha256(),
        fingerprint.canonicalText(),
        file.text());
  }

  public GenerationJournal journal() {
    return new GenerationJournal(spark, format, first.generations());
  }

  /** What the file means otherwise than a generation. */
  public List<Difference> differencesFrom(GenerationRow generation) {
    return Fingerprints.generation(file.spec())
        .differencesFrom(new Fingerprint(generation.definition().canonicalText()));
  }

  /**
   * The newest generation, not retired, that was built from what the file means, or from that
   * without columns that the file appends to the event's schema.
   */
  public Optional<GenerationRow> builtFromThis(Generations generations) {
    return generations
        .of(definition().fingerprint())
        .or(
            () ->
                generations.rows().stream()
                    .filter(row -> row.state() != GenerationState.RETIRED)
                    .filter(this::isOfThisFile)
                    .reduce((older, newer) -> newer));
  }

  /** Whether the file means what a generation was built from, but for columns that it appends. */
  public boolean isOfThisFile(GenerationRow generation) {
    return Fingerprints.generation(file.spec())
        .equalsOrAppendsColumnsTo(new Fingerprint(generation.definition().canonicalText()));
  }

  /** Whether the file can go on with the archive that a generation reads. */
  public boolean sharesArchiveWith(GenerationRow generation) {
    Fingerprint archive = Fingerprints.archive(file.spec());
    return archive.equalsOrAppendsColumnsTo(
        archive.samePartsOf(new Fingerprint(generation.definition().canonicalText())));
  }

  private ServedGeneration served(GenerationRow row) {
    PipelineSpec spec =
        isOfThisFile(row)
            ? file.spec()
            : PipelineParser.parse(
                    "the file of generation " + row.generation(), row.definition().file())
                .spec();
    return new ServedGeneration(row, spec, first.of(row.generation()));
  }

  private void requireSafe() {
    format
        .unsafeFor(first.aggregates())
        .ifPresent(
            why -> {
              throw new UnsafeEnvironmentException(
                  "Refusing to work on " + first.root() + ": " + why);
            });
  }

  private Generations generations() {
    return format.exists(first.generations()) ? journal().read() : Generations.NONE;
  }

  private void requireKnown(Generations generations) {
    if (builtFromThis(generations).isPresent()) {
      return;
    }
    GenerationRow live = generations.live().orElseThrow();
    throw new SpecException(
        "The pipeline file differs from what generation "
            + live.generation()
            + " of "
            + file.spec().name()
            + " in "
            + first.root()
            + " was built from:\n"
            + inWords(differencesFrom(live))
            + "\nA changed definition never runs on tables and checkpoints of another. Take the"
            + " change back, or "
            + (sharesArchiveWith(live)
                ? "build a new generation beside the live one with 'tidemark rebuild'; 'tidemark"
                    + " plan' says what that takes."
                : "give the pipeline another name and ingest anew: the archive holds what has been"
                    + " read as it was read."));
  }

  /** A line for each difference. */
  public static String inWords(List<Difference> differences) {
    return differences.stream()
        .map(difference -> "  " + difference.inWords())
        .collect(Collectors.joining("\n"));
  }
}
