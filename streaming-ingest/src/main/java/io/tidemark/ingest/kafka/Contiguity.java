package io.tidemark.ingest.kafka;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * Whether the archive holds each offset of a topic once.
 *
 * @param partitions in their order
 * @param holes offsets that are not archived, by partition and offset; each with what is known of
 *     it
 * @param unexamined how many more holes there are, too many to look at each
 * @param repeats offsets that are archived more than once
 * @param archiveKeptFrom the first day that the archive still has, where days were deleted
 */
public record Contiguity(
    String topic,
    List<ArchivedPartition> partitions,
    List<Hole> holes,
    long unexamined,
    List<Repeat> repeats,
    Optional<LocalDate> archiveKeptFrom) {

  public Contiguity {
    partitions = List.copyOf(partitions);
    holes = List.copyOf(holes);
    repeats = List.copyOf(repeats);
  }

  /**
   * What is archived of a partition.
   *
   * @param first the offset that reading began with
   * @param next the one that comes next
   * @param archived how many between the two are archived
   */
  public record ArchivedPartition(int partition, long first, long next, long archived) {}

  /** An offset that is archived more than once. */
  public record Repeat(int partition, long offset, long times) {}

  /**
   * Offsets that are not archived.
   *
   * @param first inclusive
   * @param end exclusive
   */
  public record Hole(int partition, long first, long end, Kind kind) {

    public long offsets() {
      return end - first;
    }

    /** Why offsets are not archived, as far as Kafka can tell. */
    public enum Kind {
      /** Kafka has the record and would hand it over: it is lost. */
      MISSING("missing: the topic has these records, and the archive has not"),
      /** The topic deleted them before they were read, and that was accepted. */
      ACCEPTED_GAP("deleted by the topic before they were read; accepted"),
      /** Records of transactions that were not committed. */
      ABORTED("records of aborted transactions"),
      /** Where Kafka notes the end of a transaction; no record. */
      MARKER("transaction markers: no records"),
      /** Compaction has removed them, or they are such markers. */
      COMPACTED("removed by compaction, or transaction markers"),
      /** The topic has deleted them since, so nobody can tell what they were. */
      UNKNOWN("no longer in the topic, so that nothing can be said of them"),
      /** The archive has deleted days, and may have had them. */
      EXPIRED("in the topic, and not in the days that the archive still has");

      private final String inWords;

      Kind(String inWords) {
        this.inWords = inWords;
      }

      public String inWords() {
        return inWords;
      }
    }
  }

  /** Whether a record is lost or doubled. */
  public boolean isBroken() {
    return !repeats.isEmpty() || holes.stream().anyMatch(hole -> hole.kind() == Hole.Kind.MISSING);
  }
}
