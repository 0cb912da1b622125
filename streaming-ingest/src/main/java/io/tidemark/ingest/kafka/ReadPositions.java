package io.tidemark.ingest.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ingest.Checkpoint;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.execution.streaming.checkpointing.CommitLog;
import org.apache.spark.sql.execution.streaming.checkpointing.CommitMetadata;
import org.apache.spark.sql.execution.streaming.checkpointing.OffsetSeq;
import org.apache.spark.sql.execution.streaming.checkpointing.OffsetSeqLog;
import org.apache.spark.sql.execution.streaming.runtime.SerializedOffset;
import scala.Option;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/**
 * How far the checkpoint of {@code ingest} says that a topic has been read: Spark's own files, read
 * and, where a gap is accepted, continued with Spark's own classes.
 */
final class ReadPositions {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Checkpoint checkpoint;
  private final String topic;
  private final OffsetSeqLog offsets;
  private final CommitLog commits;

  ReadPositions(SparkSession spark, Checkpoint checkpoint, String topic) {
    this.checkpoint = checkpoint;
    this.topic = topic;
    this.offsets = new OffsetSeqLog(spark, checkpoint.location() + "/offsets");
    this.commits = new CommitLog(spark, checkpoint.location() + "/commits");
  }

  /** Where the first start began, by partition; empty before the first batch. */
  Optional<SortedMap<Integer, Long>> first() {
    Path file = new Path(checkpoint.location(), "sources/0/0");
    try (InputStream in = file.getFileSystem(checkpoint.hadoop()).open(file)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Optional.of(positions(text.substring(Math.max(0, text.indexOf('{')))));
    } catch (java.io.FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    }
  }

  /**
   * The end of what is archived, and so the beginning of what is not, by partition; empty where
   * nothing is.
   *
   * @param sunk the newest batch that the archive holds; it may be one that the checkpoint does not
   *     know to be done
   */
  Optional<SortedMap<Integer, Long>> next(Optional<Long> sunk) {
    return batch(sunk).<SortedMap<Integer, Long>>map(this::end).or(this::first);
  }

  private Optional<Long> batch(Optional<Long> sunk) {
    Optional<Long> committed = newest(commits.getLatestBatchId());
    Optional<Long> planned = newest(offsets.getLatestBatchId());
    return sunk.equals(planned) ? planned : committed;
  }

  /**
   * Goes on behind gaps: adds a batch that read nothing. What Spark has planned and not archived is
   * planned anew. Each step is one file, and the whole can be repeated from any of them.
   *
   * @param sunk as {@link #next} takes it
   * @param ends by partition, where to go on
   */
  void skip(Optional<Long> sunk, Map<Integer, Long> ends) {
    Optional<Long> done = batch(sunk);
    long last = done.orElse(-1L);
    Optional<Tuple2<Object, OffsetSeq>> planned = option(offsets.getLatest());
    OffsetSeq pattern =
        planned
            .orElseThrow(
                () ->
                    new UnsafeEnvironmentException(
                        "Cannot go on behind a gap: "
                            + checkpoint.location()
                            + " has no batch yet. Remove it, and ingest from 'start: earliest'."))
            ._2();
    SortedMap<Integer, Long> positions = new TreeMap<>(next(sunk).orElse(new TreeMap<>()));
    positions.putAll(ends);
    if (done.isPresent() && !newest(commits.getLatestBatchId()).equals(done)) {
      commits.add(last, new CommitMetadata(0, Option.empty()));
    }
    offsets.purgeAfter(last);
    Offset skipped = new SerializedOffset(json(positions));
    offsets.add(
        last + 1,
        new OffsetSeq(
            CollectionConverters.asScala(List.of(Option.apply(skipped))).toSeq(),
            pattern.metadata()));
    commits.add(last + 1, new CommitMetadata(0, Option.empty()));
  }

  private SortedMap<Integer, Long> end(long batch) {
    OffsetSeq found = offsets.get(batch).get();
    return positions(found.offsets().head().get().json());
  }

  private SortedMap<Integer, Long> positions(String json) {
    try {
      SortedMap<Integer, Long> positions = new TreeMap<>();
      JsonNode byPartition = JSON.readTree(json).required(topic);
      byPartition
          .properties()
          .forEach(
              entry -> positions.put(Integer.parseInt(entry.getKey()), entry.getValue().asLong()));
      return positions;
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new UnsafeEnvironmentException(
          "Cannot read how far "
              + checkpoint.location()
              + " has read topic "
              + topic
              + ": found '"
              + json
              + "'. Run with the Spark version that wrote the checkpoint.",
          e);
    }
  }

  private String json(SortedMap<Integer, Long> positions) {
    ObjectNode root = JSON.createObjectNode();
    ObjectNode byPartition = root.putObject(topic);
    positions.forEach((partition, offset) -> byPartition.put(Integer.toString(partition), offset));
    return root.toString();
  }

  private static Optional<Long> newest(Option<Object> batch) {
    return option(batch).map(Long.class::cast);
  }

  private static <T> Optional<T> option(Option<T> value) {
    return value.isDefined() ? Optional.of(value.get()) : Optional.empty();
  }
}
