package io.tidemark.reconcile.generation;

import io.tidemark.spec.fingerprint.Fingerprint.Difference;
import io.tidemark.tables.Generation;
import io.tidemark.tables.PipelineSetup;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a changed pipeline file means.
 *
 * @param live the live generation
 * @param builtAs the generation, not retired, that was built from what the file means
 * @param differences from the live generation
 * @param newColumns of the event, at the end of its schema, that the archive does not have yet
 * @param archivedRecords that a rebuild counts
 * @param archiveBytes that it reads
 * @param aggregateBytes that it writes, about: what the live one's aggregates take
 * @param boundary up to where a batch would count; empty: all would be streamed
 * @param pace at which it would count; empty: it would not, or there is nothing to count
 */
public record ChangePlan(
    Kind kind,
    Generation live,
    Optional<Generation> builtAs,
    List<Difference> differences,
    List<String> newColumns,
    long archivedRecords,
    long archiveBytes,
    long aggregateBytes,
    Optional<Instant> boundary,
    Optional<Pace> pace) {

  /** What has to be done. */
  public enum Kind {
    /** The file means what the live generation was built from; limits are followed as they are. */
    NOTHING,
    /** A candidate is built from it, or is being. */
    BUILT,
    /** A generation that was live is kept, and was built from it. */
    KEPT,
    /** A new generation, from the archive as it is. */
    NEW_GENERATION,
    /** The archive would have to be read otherwise: not possible. */
    OTHER_ARCHIVE;

    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public ChangePlan {
    differences = List.copyOf(differences);
    newColumns = List.copyOf(newColumns);
  }

  /** For an operator. */
  public String text() {
    return newColumns.isEmpty() || kind == Kind.OTHER_ARCHIVE
        ? whatToDo()
        : "%s\nNew columns of the event: %s. The next ingest by this file adds them to the archive; records from before have null there."
            .formatted(whatToDo(), String.join(", ", newColumns));
  }

  /** How long it would take with the cores of this process. */
  public Optional<Duration> duration() {
    return pace.map(measured -> measured.of(archiveBytes));
  }

  private String inWords(Pace measured) {
    return ", in about %d s with the cores of this process (%s took %.1f s)"
        .formatted(
            measured.of(archiveBytes).toSeconds(),
            measured.day(),
            measured.took().toMillis() / 1000.0);
  }

  private String whatToDo() {
    return switch (kind) {
      case NOTHING ->
          "No new generation: the file means what %s was built from. Limits, health and roll-ups are followed from the next run on."
              .formatted(live);
      case BUILT ->
          "Generation %s is built from this file; %s is live. 'tidemark compare' and 'promote' are next; 'rebuild' goes on if it was broken off."
              .formatted(builtAs.orElseThrow(), live);
      case KEPT ->
          "Generation %s was built from this file and is kept; %s is live. 'tidemark roll-back' returns to it."
              .formatted(builtAs.orElseThrow(), live);
      case NEW_GENERATION ->
          "A new generation: other than %s,\n%s\n'tidemark rebuild' would count %d archived records (%d bytes) anew, %s, into about %d bytes%s."
              .formatted(
                  live,
                  PipelineSetup.inWords(differences),
                  archivedRecords,
                  archiveBytes,
                  boundary
                      .map("windows through %s by a batch, the rest by a stream"::formatted)
                      .orElse("all by a stream"),
                  aggregateBytes,
                  pace.map(this::inWords).orElse(""));
      case OTHER_ARCHIVE ->
          "Not possible on this archive: other than %s,\n%s\nThe archive holds what has been read as it was read; only new columns at the end of event.schema are no change. Take that change back, or give the pipeline another name and ingest anew."
              .formatted(live, PipelineSetup.inWords(differences));
    };
  }
}
