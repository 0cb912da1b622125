package io.tidemark.tests.property;

import io.tidemark.tests.oracle.ArrivalBatch;
import io.tidemark.tests.oracle.GeneratedEvents;
import io.tidemark.tests.oracle.Group;
import io.tidemark.tests.oracle.Limits;
import io.tidemark.tests.oracle.Traffic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Seeds of generated events. Each has two months of event time to itself, so that many of them can
 * go through one run of Spark and still be told apart. {@code -Dtidemark.seed=17} runs only that.
 */
final class Seeds {

  /** As narrow as an event may lie ahead, so that a watermark of a minute survives it. */
  static final Limits LIMITS = new Limits(Duration.ofSeconds(30), Duration.ofDays(30));

  private static final Instant FIRST_START = Instant.parse("2001-01-01T00:00:00Z");
  private static final Duration APART = Duration.ofDays(61);

  private Seeds() {}

  static List<Long> between(long first, long last) {
    Long one = Long.getLong("tidemark.seed");
    return one == null ? LongStream.rangeClosed(first, last).boxed().toList() : List.of(one);
  }

  /** The seed's batches; the names of its files begin with it. */
  static List<ArrivalBatch> batches(long seed, Traffic traffic) {
    return GeneratedEvents.batches(seed, traffic);
  }

  static Traffic traffic(long seed, int batches, int recordsPerBatch) {
    return Traffic.usual(start(seed), batches, recordsPerBatch);
  }

  /** How a failure names the seed. */
  static String replay(long seed) {
    return "seed " + seed + " (replay it alone with -Dtidemark.seed=" + seed + ")";
  }

  /** The part of a result that belongs to the seed. */
  static <V> Map<Group, V> of(long seed, Map<Group, V> rows) {
    Instant first = start(seed).minus(Duration.ofDays(31));
    return rows.entrySet().stream()
        .filter(row -> !row.getKey().windowStart().isBefore(first))
        .filter(row -> row.getKey().windowStart().isBefore(first.plus(APART)))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static Instant start(long seed) {
    return FIRST_START.plus(APART.multipliedBy(seed));
  }
}
