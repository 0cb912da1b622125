package io.tidemark.tables.journal;

import io.tidemark.spec.error.ConflictException;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.VersionRange;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * The table generations: the pointer that says which build readers see. A change is one commit that
 * replaces all its rows, and takes effect only if no other came since it was decided on.
 */
public final class GenerationJournal {

  private static final String APPLICATION = "generations";

  /** The version of the table when it was created, before anything is written to it. */
  private static final long CREATED = 0;

  private static final String ALL_ROWS = "`generation` IS NOT NULL";

  private final SparkSession spark;
  private final TableFormat format;
  private final TablePath table;

  public GenerationJournal(SparkSession spark, TableFormat format, TablePath table) {
    this.spark = spark;
    this.format = format;
    this.table = table;
  }

  /** All generations; none before {@code init} has finished. */
  public Generations read() {
    return newest().map(GenerationChange::generations).orElse(Generations.NONE);
  }

  /**
   * The newest change. Read from its commit, without a Spark job: every command asks for it.
   *
   * @throws UnsafeEnvironmentException if the tables are of another format than this release's
   */
  public Optional<GenerationChange> newest() {
    long version = format.version(table);
    if (version == CREATED) {
      return Optional.empty();
    }
    return Optional.of(
        format
            .newest(table, VersionRange.through(version), APPLICATION)
            .map(commit -> GenerationChange.parse(commit.message()))
            .orElseThrow(
                () ->
                    new UnsafeEnvironmentException(
                        "Cannot tell which generation is live: no commit of "
                            + table
                            + " says so. Was it written by another release or tool? Use that, or"
                            + " ingest again into a new warehouse path.")));
  }

  /**
   * Changes the generations by one commit.
   *
   * @param run names the caller, unlike any before
   * @param what the change is, in words, e.g. {@code promote g2}
   * @param change throws where the generations, as they are now, do not allow it
   * @return the generations after it
   * @throws ConflictException if another change came first; names it. Nothing was changed then
   */
  public Generations change(
      String run, String what, Clock clock, UnaryOperator<Generations> change) {
    Optional<GenerationChange> before = newest();
    Generations after =
        change.apply(before.map(GenerationChange::generations).orElse(Generations.NONE));
    GenerationChange ours =
        new GenerationChange(
            before.map(GenerationChange::serial).orElse(0L) + 1, run, what, clock.instant(), after);
    try {
      format.replace(
          table,
          ALL_ROWS,
          rows(after),
          CommitLabel.ofSeveralWriters(APPLICATION, ours.serial(), ours.toJson()));
    } catch (ConflictException e) {
      throw overtaken(what, e);
    }
    boolean isOurs =
        format
            .labelled(table, APPLICATION, ours.serial())
            .filter(commit -> GenerationChange.parse(commit.message()).run().equals(run))
            .isPresent();
    if (!isOurs) {
      throw overtaken(what, null);
    }
    return after;
  }

  /**
   * The same, if the generations are still what it was decided on.
   *
   * @throws ConflictException if they are not, or another change came first; names it
   */
  public Generations change(
      String run,
      String what,
      Clock clock,
      Generations decidedOn,
      UnaryOperator<Generations> change) {
    return change(
        run,
        what,
        clock,
        now -> {
          if (!now.equals(decidedOn)) {
            throw overtaken(what, null);
          }
          return change.apply(now);
        });
  }

  private ConflictException overtaken(String what, @Nullable Exception cause) {
    String first =
        newest()
            .map(
                change ->
                    "'%s' of run %s came first, at %s"
                        .formatted(change.what(), change.run(), change.at()))
            .orElse("another change came first");
    return new ConflictException(
        "Could not %s: %s. Nothing was changed; look at 'tidemark status', then decide again."
            .formatted(what, first),
        cause);
  }

  private Dataset<Row> rows(Generations generations) {
    List<Row> rows =
        generations.rows().stream()
            .map(
                row ->
                    RowFactory.create(
                        row.generation().name(),
                        row.state().label(),
                        row.definition().archiveFingerprint(),
                        row.definition().fingerprint(),
                        row.definition().canonicalText(),
                        row.definition().file(),
                        time(row.start().boundary()),
                        version(row.start().archiveVersion()),
                        row.start().firstVersion(),
                        Times.sql(row.createdAt()),
                        time(row.promotedAt()),
                        time(row.replacedAt()),
                        row.canary()))
            .toList();
    return spark.createDataFrame(rows, format.read(table).schema());
  }

  private static @Nullable Object time(Optional<Instant> time) {
    return time.map(Times::sql).orElse(null);
  }

  private static @Nullable Object version(OptionalLong version) {
    return version.isPresent() ? version.getAsLong() : null;
  }
}
