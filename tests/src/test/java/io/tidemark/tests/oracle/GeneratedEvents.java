package io.tidemark.tests.oracle;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Events from a seed: the same seed and traffic give the same bytes. Keys are skewed, some null,
 * empty or hard to quote; one value in ten is null.
 */
public final class GeneratedEvents {

  private static final List<String> STRANGE_KEYS =
      List.of(
          "o'brien",
          "back`tick",
          "say \"no\"",
          "two\nlines",
          "back\\slash",
          "<script>",
          "=1+1",
          "größe",
          " ");

  private final SplittableRandom random;
  private final Traffic traffic;
  private final List<Event> sent = new ArrayList<>();
  private int sentInEarlierBatches;

  private GeneratedEvents(long seed, Traffic traffic) {
    this.random = new SplittableRandom(seed);
    this.traffic = traffic;
  }

  /** The batches in order of arrival; their file names sort in that order. */
  public static List<ArrivalBatch> batches(long seed, Traffic traffic) {
    GeneratedEvents generated = new GeneratedEvents(seed, traffic);
    return IntStream.range(0, traffic.batches()).mapToObj(generated::batch).toList();
  }

  private ArrivalBatch batch(int number) {
    String file = String.format("batch-%05d.jsonl", number);
    Instant begin = traffic.start().plus(traffic.interval().multipliedBy(number));
    sentInEarlierBatches = sent.size();
    List<SourceRecord> records = new ArrayList<>();
    for (int i = 0; i < traffic.recordsPerBatch(); i++) {
      Instant arrival = begin.plusMillis(random.nextLong(traffic.interval().toMillis()));
      Event plain = plain("e-" + number + "-" + i, arrival);
      records.add(record(file, plain, arrival, oddity()));
    }
    return new ArrivalBatch(file, records);
  }

  private SourceRecord record(String file, Event plain, Instant arrival, @Nullable Oddity oddity) {
    String line = JsonLine.of(plain);
    if (oddity == Oddity.TRUNCATED) {
      return SourceRecord.malformed(file, line.substring(0, line.length() / 2));
    }
    if (oddity == Oddity.NOT_JSON) {
      return SourceRecord.malformed(file, "no JSON, but " + plain.id());
    }
    if (oddity == Oddity.WRONG_TYPE) {
      String wrong = random.nextBoolean() ? "\"value\":\"12,5\"" : "\"happened_at\":\"yesterday\"";
      return SourceRecord.malformed(file, "{\"id\":\"" + plain.id() + "\"," + wrong + "}");
    }
    Event event = oddity == null ? plain : odd(plain, arrival, oddity);
    sent.add(event);
    return SourceRecord.of(file, event);
  }

  private Event odd(Event plain, Instant arrival, Oddity oddity) {
    Limits limits = traffic.limits();
    return switch (oddity) {
      case LATE_BY_MINUTES -> at(plain, arrival.minus(between(2, 120, Duration.ofMinutes(1))));
      case LATE_BY_DAYS -> at(plain, arrival.minus(between(1, 29, limits.maxAge().dividedBy(30))));
      case EXACT_COPY -> earlier(sent.size(), plain);
      case UNLIKE_COPY ->
          earlier(sentInEarlierBatches, plain)
              .withValue(1000 + random.nextLong(1000))
              .withArrival(arrival);
      case CONFLICTING_COPY -> {
        Event original = earlier(sentInEarlierBatches, plain);
        yield original.withKey(original.key() + " again").withArrival(arrival);
      }
      case NULL_TIME -> at(plain, null);
      case NULL_ID -> withoutId(plain);
      case NULL_ARRIVAL -> plain.withArrival(null);
      case NULL_TIME_AND_ID -> at(withoutId(plain), null);
      case FAR_FUTURE ->
          at(
              plain,
              random.nextBoolean()
                  ? arrival.plus(limits.maxFutureSkew()).plusMillis(1)
                  : Instant.parse("9999-12-31T23:59:59Z"));
      case AT_FUTURE_LIMIT -> at(plain, arrival.plus(limits.maxFutureSkew()));
      case TOO_OLD ->
          at(
              plain,
              random.nextBoolean()
                  ? arrival.minus(limits.maxAge()).minusMillis(1)
                  : Instant.parse("1969-12-31T23:59:59.999Z"));
      case AT_AGE_LIMIT -> at(plain, arrival.minus(limits.maxAge()));
      case HUGE_VALUE -> plain.withValue(Long.MAX_VALUE - random.nextInt(100));
      case TRUNCATED, NOT_JSON, WRONG_TYPE ->
          throw new IllegalArgumentException(oddity + " is of a line, not of an event");
    };
  }

  private Event plain(String id, Instant arrival) {
    Instant happened = arrival.minusMillis(random.nextLong(20_000));
    Long value = random.nextInt(10) == 0 ? null : Long.valueOf(random.nextInt(-5, 50));
    return new Event(id, key(), happened, arrival, value);
  }

  private @Nullable String key() {
    int draw = random.nextInt(100);
    if (draw < 3) {
      return null;
    }
    if (draw < 6) {
      return "";
    }
    if (draw < 10) {
      return STRANGE_KEYS.get(random.nextInt(STRANGE_KEYS.size()));
    }
    return "k" + (int) (12 * Math.pow(random.nextDouble(), 3));
  }

  private @Nullable Oddity oddity() {
    double draw = random.nextDouble();
    for (Oddity oddity : Oddity.values()) {
      draw -= traffic.shares().getOrDefault(oddity, 0.0);
      if (draw < 0) {
        return oddity;
      }
    }
    return null;
  }

  /** One of the first events sent, or the other one where nothing was sent yet. */
  private Event earlier(int first, Event otherwise) {
    return first == 0 ? otherwise : sent.get(random.nextInt(first));
  }

  private Duration between(int least, int most, Duration unit) {
    long milliseconds = unit.toMillis();
    return Duration.ofMillis(random.nextLong(least * milliseconds, most * milliseconds + 1));
  }

  private static Event at(Event event, @Nullable Instant time) {
    return new Event(event.id(), event.key(), time, event.arrivedAt(), event.value());
  }

  private static Event withoutId(Event event) {
    return new Event(null, event.key(), event.happenedAt(), event.arrivedAt(), event.value());
  }
}
