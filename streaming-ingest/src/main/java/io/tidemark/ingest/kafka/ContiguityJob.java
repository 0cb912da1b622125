package io.tidemark.ingest.kafka;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lead;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.row_number;

import io.tidemark.ingest.Checkpoint;
import io.tidemark.ingest.kafka.Contiguity.ArchivedPartition;
import io.tidemark.ingest.kafka.Contiguity.Hole;
import io.tidemark.ingest.kafka.Contiguity.Repeat;
import io.tidemark.spec.Source;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.computation.ArchiveRows;
import io.tidemark.spec.computation.SourcePosition;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.KeptArchive;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.journal.SourceGap;
import io.tidemark.tables.journal.SourceGapJournal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.expressions.WindowSpec;

/**
 * The job {@code verify --source}: whether every offset between where reading began and where it
 * goes on is in the archive once, and why not, as far as the topic can still tell. Changes nothing.
 * Cost: sorts the archive's positions, and reads what Kafka has at the offsets that are not there.
 */
public final class ContiguityJob {

  /** Of a partition, more than this are not looked at; a topic of transactions has one for each. */
  private static final int MOST_HOLES = 200_000;

  private static final int MOST_REPEATS = 1_000;

  private static final String READ_UNCOMMITTED = "read_uncommitted";

  private final SparkSession spark;
  private final Source.Kafka source;
  private final PipelineTables tables;
  private final TableFormat format;
  private final SourceGapJournal gaps;
  private final KafkaConnection connection;

  public ContiguityJob(
      SparkSession spark,
      Source.Kafka source,
      PipelineTables tables,
      TableFormat format,
      Clock clock) {
    this.spark = spark;
    this.source = source;
    this.tables = tables;
    this.format = format;
    this.gaps = new SourceGapJournal(spark, format, tables.sourceGaps(), clock);
    this.connection = KafkaConnection.of(spark, source);
  }

  /**
   * Compares.
   *
   * @throws io.tidemark.spec.error.TidemarkException if Kafka cannot be asked
   */
  public Contiguity run() {
    // Before the archive: what is archived meanwhile lies behind it.
    SortedMap<Integer, OffsetRange> read = read();
    SortedMap<Integer, OffsetRange> inTopic = new Topic(connection, source.topic()).ranges();
    Dataset<Row> offsets = archivedOffsets();
    List<ArchivedPartition> partitions = new ArrayList<>();
    List<Hole> holes = new ArrayList<>();
    Map<Integer, List<OffsetRange>> notArchived = notArchived(read, offsets);
    Map<Integer, Long> archived = counts(offsets);
    boolean compacted = isCompacted();
    KeptArchive kept = KeptArchive.of(format, tables.archive());
    read.forEach(
        (partition, range) -> {
          partitions.add(
              new ArchivedPartition(
                  partition, range.first(), range.end(), archived.getOrDefault(partition, 0L)));
          holes.addAll(
              explained(
                  partition,
                  notArchived.getOrDefault(partition, List.of()),
                  inTopic.getOrDefault(partition, new OffsetRange(0, 0)),
                  compacted,
                  kept.from().isPresent()));
        });
    return new Contiguity(
        source.topic(),
        partitions,
        holes,
        edges(offsets).filter(col("place").gt(MOST_HOLES)).count(),
        repeats(offsets),
        kept.from());
  }

  /** Where Kafka does not say, holes of a topic that is not compacted have other reasons anyway. */
  private boolean isCompacted() {
    try {
      return new Topic(connection, source.topic()).retention().compacted();
    } catch (UnsafeEnvironmentException mayNotAsk) {
      return true;
    }
  }

  /** What has been read of each partition, by the checkpoint. */
  private SortedMap<Integer, OffsetRange> read() {
    Checkpoint checkpoint =
        new Checkpoint(tables.ingestCheckpoint(), spark.sparkContext().hadoopConfiguration());
    SortedMap<Integer, OffsetRange> read = new TreeMap<>();
    if (!checkpoint.exists()) {
      if (!ArchiveRows.ingested(format.read(tables.archive())).isEmpty()) {
        throw new UnsafeEnvironmentException(
            "Cannot verify the source: the archive holds records, but its checkpoint "
                + checkpoint.location()
                + " is gone, so it is not known what was read. Put the checkpoint back.");
      }
      return read;
    }
    ReadPositions positions = new ReadPositions(spark, checkpoint, source.topic());
    SortedMap<Integer, Long> first = positions.first().orElse(new TreeMap<>());
    positions
        .next(format.newestVersion(tables.archive(), checkpoint.queryId()))
        .orElse(first)
        .forEach(
            (partition, next) ->
                // Partitions that were added are read from their beginning.
                read.put(partition, new OffsetRange(first.getOrDefault(partition, 0L), next)));
    return read;
  }

  private Dataset<Row> archivedOffsets() {
    String position = ArchiveColumns.SOURCE_POSITION + ".";
    return ArchiveRows.ingested(format.read(tables.archive()))
        .filter(col(position + SourcePosition.TOPIC).equalTo(source.topic()))
        .groupBy(
            col(position + SourcePosition.PARTITION).as("partition"),
            col(position + SourcePosition.OFFSET).as("offset"))
        .agg(count(lit(1)).as("times"));
  }

  private static Map<Integer, Long> counts(Dataset<Row> offsets) {
    Map<Integer, Long> counts = new HashMap<>();
    offsets
        .groupBy("partition")
        .count()
        .collectAsList()
        .forEach(row -> counts.put(row.getInt(0), row.getLong(1)));
    return counts;
  }

  private static List<Repeat> repeats(Dataset<Row> offsets) {
    return offsets
        .filter(col("times").gt(1))
        .orderBy("partition", "offset")
        .limit(MOST_REPEATS)
        .collectAsList()
        .stream()
        .map(row -> new Repeat(row.getInt(0), row.getLong(1), row.getLong(2)))
        .toList();
  }

  /**
   * The first archived offset of each partition, and those behind which the next is not archived.
   */
  private static Dataset<Row> edges(Dataset<Row> offsets) {
    WindowSpec inOrder = Window.partitionBy("partition").orderBy("offset");
    return offsets
        .withColumn("next", lead("offset", 1).over(inOrder))
        .withColumn("first", min("offset").over(Window.partitionBy("partition")))
        .filter(
            col("next")
                .isNull()
                .or(col("next").gt(col("offset").plus(1)))
                .or(col("offset").equalTo(col("first"))))
        .withColumn("place", row_number().over(inOrder));
  }

  /** Ranges within what was read at which nothing is archived, in order. */
  private static Map<Integer, List<OffsetRange>> notArchived(
      SortedMap<Integer, OffsetRange> read, Dataset<Row> offsets) {
    Map<Integer, List<OffsetRange>> ranges = new HashMap<>();
    Map<Integer, Long> first = new HashMap<>();
    edges(offsets)
        .filter(col("place").leq(MOST_HOLES))
        .orderBy("partition", "offset")
        .collectAsList()
        .forEach(
            row -> {
              int partition = row.<Integer>getAs("partition");
              long offset = row.<Long>getAs("offset");
              OffsetRange all = read.getOrDefault(partition, new OffsetRange(0, 0));
              List<OffsetRange> its = ranges.computeIfAbsent(partition, p -> new ArrayList<>());
              if (first.putIfAbsent(partition, offset) == null && offset > all.first()) {
                its.add(new OffsetRange(all.first(), offset));
              }
              Long next = row.getAs("next");
              long end = next == null ? Math.max(offset + 1, all.end()) : next;
              if (end > offset + 1) {
                its.add(new OffsetRange(offset + 1, end));
              }
            });
    read.forEach(
        (partition, range) -> {
          if (!first.containsKey(partition) && range.size() > 0) {
            ranges.put(partition, List.of(range));
          }
        });
    return ranges;
  }

  private List<Hole> explained(
      int partition,
      List<OffsetRange> notArchived,
      OffsetRange inTopic,
      boolean compacted,
      boolean archiveExpires) {
    List<Hole> holes = new ArrayList<>();
    List<OffsetRange> toBeRead = new ArrayList<>();
    for (OffsetRange range : withoutAccepted(partition, notArchived, holes)) {
      if (range.first() < inTopic.first()) {
        holes.add(
            new Hole(
                partition,
                range.first(),
                Math.min(range.end(), inTopic.first()),
                Hole.Kind.UNKNOWN));
      }
      if (range.end() > inTopic.first()) {
        toBeRead.add(new OffsetRange(Math.max(range.first(), inTopic.first()), range.end()));
      }
    }
    if (!toBeRead.isEmpty()) {
      HoleReader reader = new HoleReader(connection, source.topic());
      boolean committedOnly = source.isolation() == Source.Kafka.Isolation.READ_COMMITTED;
      NavigableSet<Long> all = reader.records(partition, toBeRead, READ_UNCOMMITTED);
      NavigableSet<Long> handedOver =
          committedOnly && !all.isEmpty()
              ? reader.records(partition, toBeRead, "read_committed")
              : all;
      for (OffsetRange range : toBeRead) {
        holes.addAll(
            named(
                partition,
                range,
                offset -> {
                  if (handedOver.contains(offset)) {
                    return archiveExpires ? Hole.Kind.EXPIRED : Hole.Kind.MISSING;
                  }
                  if (all.contains(offset)) {
                    return Hole.Kind.ABORTED;
                  }
                  return compacted ? Hole.Kind.COMPACTED : Hole.Kind.MARKER;
                },
                all));
      }
    }
    holes.sort(Comparator.comparing(Hole::first));
    return holes;
  }

  private interface KindOf {
    Hole.Kind at(long offset);
  }

  /** Stretches of one kind each; offsets without a record are alike, however many there are. */
  private static List<Hole> named(
      int partition, OffsetRange range, KindOf kindOf, NavigableSet<Long> records) {
    NavigableSet<Long> starts = new TreeSet<>();
    starts.add(range.first());
    for (long record : records.subSet(range.first(), range.end())) {
      starts.add(record);
      if (record + 1 < range.end()) {
        starts.add(record + 1);
      }
    }
    List<Hole> holes = new ArrayList<>();
    for (long start : starts) {
      Long next = starts.higher(start);
      long end = next == null ? range.end() : next;
      Hole.Kind kind = kindOf.at(start);
      Hole last = holes.isEmpty() ? null : holes.get(holes.size() - 1);
      if (last != null && last.kind() == kind) {
        holes.set(holes.size() - 1, new Hole(partition, last.first(), end, kind));
      } else {
        holes.add(new Hole(partition, start, end, kind));
      }
    }
    return holes;
  }

  /** What is left beside the gaps that were accepted, which are added to the holes. */
  private List<OffsetRange> withoutAccepted(
      int partition, List<OffsetRange> ranges, List<Hole> holes) {
    List<SourceGap> accepted =
        gaps.all().stream()
            .filter(gap -> gap.topic().equals(source.topic()) && gap.partition() == partition)
            .toList();
    List<OffsetRange> left = new ArrayList<>();
    for (OffsetRange range : ranges) {
      long from = range.first();
      for (SourceGap gap : accepted) {
        long first = Math.max(from, gap.first());
        long end = Math.min(range.end(), gap.end());
        if (first < end) {
          if (from < first) {
            left.add(new OffsetRange(from, first));
          }
          holes.add(new Hole(partition, first, end, Hole.Kind.ACCEPTED_GAP));
          from = end;
        }
      }
      if (from < range.end()) {
        left.add(new OffsetRange(from, range.end()));
      }
    }
    return left;
  }
}
