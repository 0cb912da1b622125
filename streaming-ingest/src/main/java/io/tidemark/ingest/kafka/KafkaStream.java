package io.tidemark.ingest.kafka;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ingest.Checkpoint;
import io.tidemark.ingest.OnSourceGap;
import io.tidemark.ingest.SourceStream;
import io.tidemark.spec.KafkaStart;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.RecordPart;
import io.tidemark.spec.Source;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.error.TidemarkException;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.spec.time.SpecDuration;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.journal.SourceGap;
import io.tidemark.tables.journal.SourceGapJournal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A topic of Kafka. It deletes records whether they have been read or not, so each start compares
 * what comes next with what is still there.
 */
public final class KafkaStream implements SourceStream {

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final Source.Kafka source;
  private final PipelineTables tables;
  private final TableFormat format;
  private final OnSourceGap onGap;
  private final SourceGapJournal gaps;
  private final KafkaConnection connection;
  private final Topic topic;

  public KafkaStream(
      SparkSession spark,
      PipelineSpec spec,
      Source.Kafka source,
      PipelineTables tables,
      TableFormat format,
      OnSourceGap onGap,
      Clock clock) {
    this.spark = spark;
    this.spec = spec;
    this.source = source;
    this.tables = tables;
    this.format = format;
    this.onGap = onGap;
    this.gaps = new SourceGapJournal(spark, format, tables.sourceGaps(), clock);
    this.connection = KafkaConnection.of(spark, source);
    this.topic = new Topic(connection, source.topic());
  }

  @Override
  public void check(Checkpoint checkpoint) {
    List<SourceGap> lost = lost(checkpoint, topic.ranges());
    if (!lost.isEmpty() && onGap == OnSourceGap.STOP) {
      throw gap(lost);
    }
  }

  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    try {
      Topic.Retention retention = topic.retention();
      retention
          .time()
          .filter(time -> time.compareTo(source.longestPause()) < 0)
          .ifPresent(
              time ->
                  warnings.add(
                      "Topic %s keeps records for %s (retention.ms), and ingest is to survive a pause of %s: a longer one than the first loses records. Raise the topic's retention.ms, or lower source.longest-pause."
                          .formatted(
                              source.topic(),
                              SpecDuration.format(time),
                              SpecDuration.format(source.longestPause()))));
      retention
          .bytes()
          .ifPresent(
              bytes ->
                  warnings.add(
                      "Topic %s keeps at most %d bytes of a partition (retention.bytes): a burst may delete records however young they are. Set it to -1, if retention.ms is to decide."
                          .formatted(source.topic(), bytes)));
    } catch (UnsafeEnvironmentException e) {
      warnings.add(
          "How long topic %s keeps records is not known, as Kafka does not say: %s"
              .formatted(source.topic(), e.getMessage()));
    }
    return warnings;
  }

  @Override
  public Dataset<Row> records(Checkpoint checkpoint) {
    if (checkpoint.exists()) {
      goOnBehindGaps(checkpoint);
    }
    Map<String, String> options = new TreeMap<>(connection.forSpark());
    options.put("subscribe", source.topic());
    options.put("groupIdPrefix", "tidemark-" + spec.name());
    options.put("failOnDataLoss", "true");
    options.put(
        "kafka.isolation.level",
        source.isolation() == Source.Kafka.Isolation.READ_COMMITTED
            ? "read_committed"
            : "read_uncommitted");
    if (source.columns().values().stream().anyMatch(RecordPart.Header.class::isInstance)) {
      options.put("includeHeaders", "true");
    }
    source
        .maxOffsetsPerTrigger()
        .ifPresent(offsets -> options.put("maxOffsetsPerTrigger", Long.toString(offsets)));
    options.putAll(start());
    return spark.readStream().format("kafka").options(options).load();
  }

  private Map<String, String> start() {
    if (source.start() instanceof KafkaStart.At at) {
      return Map.of(
          "startingTimestamp",
          Long.toString(at.timestamp().toEpochMilli()),
          // A partition without a record so late begins with what comes.
          "startingOffsetsByTimestampStrategy",
          "latest");
    }
    if (source.start() instanceof KafkaStart.Offsets offsets) {
      ObjectNode root = JsonNodeFactory.instance.objectNode();
      ObjectNode byPartition = root.putObject(source.topic());
      offsets
          .byPartition()
          .forEach((partition, offset) -> byPartition.put(Integer.toString(partition), offset));
      return Map.of("startingOffsets", root.toString());
    }
    return Map.of(
        "startingOffsets", source.start() instanceof KafkaStart.Earliest ? "earliest" : "latest");
  }

  @Override
  public Optional<TidemarkException> reasonFor(Throwable death, Checkpoint checkpoint) {
    if (!isOfKafka(death)) {
      return Optional.empty();
    }
    try {
      List<SourceGap> lost = lost(checkpoint, topic.ranges());
      return lost.isEmpty() ? Optional.empty() : Optional.of(gap(lost));
    } catch (ConflictException | SpecException | UnsafeEnvironmentException e) {
      return Optional.of(e);
    }
  }

  private static boolean isOfKafka(Throwable death) {
    for (Throwable cause = death; cause != null; cause = cause.getCause()) {
      if (cause.getClass().getName().toLowerCase(java.util.Locale.ROOT).contains("kafka")
          || (cause.getMessage() + "").contains("kafka")) {
        return true;
      }
    }
    return false;
  }

  private void goOnBehindGaps(Checkpoint checkpoint) {
    List<SourceGap> lost = lost(checkpoint, topic.ranges());
    if (lost.isEmpty()) {
      return;
    }
    if (onGap == OnSourceGap.STOP) {
      throw gap(lost);
    }
    // First the note: a gap that is passed and not noted could never be told from one that is ours.
    gaps.accept(lost);
    ReadPositions positions = new ReadPositions(spark, checkpoint, source.topic());
    positions.skip(
        sunk(checkpoint),
        lost.stream().collect(Collectors.toMap(SourceGap::partition, SourceGap::end)));
  }

  /** The newest batch that the archive holds. */
  private Optional<Long> sunk(Checkpoint checkpoint) {
    return format.newestVersion(tables.archive(), checkpoint.queryId());
  }

  /** What is to be read next and is not there any more. */
  private List<SourceGap> lost(Checkpoint checkpoint, SortedMap<Integer, OffsetRange> ranges) {
    if (!checkpoint.exists()) {
      requireStart(ranges);
      return List.of();
    }
    ReadPositions positions = new ReadPositions(spark, checkpoint, source.topic());
    Optional<SortedMap<Integer, Long>> next = positions.next(sunk(checkpoint));
    if (next.isEmpty()) {
      requireStart(ranges);
      return List.of();
    }
    next.get().forEach((partition, offset) -> requireSameTopic(partition, offset, ranges));
    List<SourceGap> lost = new ArrayList<>();
    ranges.forEach(
        (partition, range) -> {
          // Partitions that were added are read from their beginning.
          long from = next.get().getOrDefault(partition, 0L);
          if (range.first() > from) {
            lost.add(new SourceGap(source.topic(), partition, from, range.first()));
          }
        });
    return lost;
  }

  private void requireSameTopic(int partition, long next, SortedMap<Integer, OffsetRange> ranges) {
    OffsetRange range = ranges.get(partition);
    if (range == null || range.end() < next) {
      throw new UnsafeEnvironmentException(
          "Cannot ingest from topic %s: of partition %d offset %d comes next, and %s. So the topic was deleted and made anew, or it is another cluster's; its records would be mixed with others of the same offsets. Mend source.bootstrap-servers, or ingest into a pipeline of another name."
              .formatted(
                  source.topic(),
                  partition,
                  next,
                  range == null
                      ? "there is no such partition"
                      : "the partition ends at offset " + range.end()));
    }
  }

  private void requireStart(SortedMap<Integer, OffsetRange> ranges) {
    if (!(source.start() instanceof KafkaStart.Offsets start)) {
      return;
    }
    if (!start.byPartition().keySet().equals(ranges.keySet())) {
      throw new SpecException(
          "Cannot ingest from topic %s: source.start names the partitions %s, and the topic has %s. Give an offset for each."
              .formatted(source.topic(), start.byPartition().keySet(), ranges.keySet()));
    }
    start
        .byPartition()
        .forEach(
            (partition, offset) -> {
              OffsetRange range = ranges.get(partition);
              if (range != null && (offset < range.first() || offset > range.end())) {
                throw new SpecException(
                    "Cannot ingest from topic %s: source.start gives offset %d of partition %d, which holds %d to %d. Give one of these, or %d for what comes next."
                        .formatted(
                            source.topic(),
                            offset,
                            partition,
                            range.first(),
                            range.end() - 1,
                            range.end()));
              }
            });
  }

  private UnsafeEnvironmentException gap(List<SourceGap> lost) {
    return new UnsafeEnvironmentException(
        "Cannot ingest from topic %s: it has deleted records that were not read yet: %s. Kafka cannot give them back. 'tidemark ingest --accept-source-gap' (or 'stream') goes on behind them and notes the gap, which 'tidemark status' shows until it is acknowledged; records that are kept elsewhere can then be imported. Raise the topic's retention.ms, so that it outlasts the next pause."
            .formatted(
                source.topic(),
                lost.stream().map(SourceGap::inWords).collect(Collectors.joining("; "))));
  }
}
