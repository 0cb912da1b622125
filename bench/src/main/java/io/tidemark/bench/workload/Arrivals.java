package io.tidemark.bench.workload;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * A workload's events and copies in the order of their arrival. Events are drawn in chunks, each
 * from a generator of its own, over equal parts of the span; copies that would arrive after the
 * span are left out. Holds one chunk and the copies under way.
 */
final class Arrivals implements Iterator<BenchEvent> {

  private static final int CHUNK_EVENTS = 250_000;
  private static final int TYPES = 3;
  private static final long MOST_CENTS = 100_000;
  private static final char[] BASE64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".toCharArray();

  private final Workload workload;
  private final ZipfKeys keys;
  private final long startMicros;
  private final long spanMicros;
  private final PriorityQueue<BenchEvent> copies = new PriorityQueue<>(BenchEvent.BY_ARRIVAL);
  private BenchEvent[] chunk = new BenchEvent[0];
  private int next;
  private long drawn;

  Arrivals(Workload workload) {
    this.workload = workload;
    this.keys = new ZipfKeys(workload.keys(), workload.skew());
    this.startMicros = ChronoUnit.MICROS.between(Instant.EPOCH, workload.start());
    this.spanMicros = workload.span().toNanos() / 1_000;
  }

  @Override
  public boolean hasNext() {
    if (next == chunk.length && drawn < workload.events()) {
      draw();
    }
    return next < chunk.length || (!copies.isEmpty() && inSpan(copies.element()));
  }

  @Override
  public BenchEvent next() {
    if (!hasNext()) {
      throw new NoSuchElementException("all events have arrived");
    }
    if (next == chunk.length
        || (!copies.isEmpty()
            && BenchEvent.BY_ARRIVAL.compare(copies.element(), chunk[next]) < 0)) {
      return copies.remove();
    }
    return chunk[next++];
  }

  private boolean inSpan(BenchEvent copy) {
    return copy.arrivalMicros() < startMicros + spanMicros;
  }

  private void draw() {
    int size = (int) Math.min(CHUNK_EVENTS, workload.events() - drawn);
    long from = startMicros + offset(drawn);
    long through = startMicros + offset(drawn + size);
    SplittableRandom random = new SplittableRandom(mixed(workload.seed(), drawn / CHUNK_EVENTS));
    chunk = new BenchEvent[size];
    for (int i = 0; i < size; i++) {
      chunk[i] = event(random, drawn + i, random.nextLong(from, Math.max(from + 1, through)));
      OptionalLong gap = Resending.gapMicros(random);
      if (gap.isPresent()) {
        copies.add(chunk[i].sentAgain(chunk[i].arrivalMicros() + 1 + gap.getAsLong()));
      }
    }
    Arrays.sort(chunk, BenchEvent.BY_ARRIVAL);
    drawn += size;
    next = 0;
  }

  /** Where in the span the events before an event end. */
  private long offset(long number) {
    return (long) ((double) number / workload.events() * spanMicros);
  }

  private BenchEvent event(SplittableRandom random, long number, long arrivalMicros) {
    long delay = workload.lateness().delayMicros(random);
    return new BenchEvent(
        random.nextLong(),
        random.nextLong(),
        number,
        keys.draw(random),
        random.nextInt(TYPES),
        random.nextLong(1, MOST_CENTS + 1),
        arrivalMicros - delay,
        arrivalMicros,
        false,
        payload(random));
  }

  private String payload(SplittableRandom random) {
    char[] characters = new char[workload.payloadCharacters()];
    for (int i = 0; i < characters.length; i++) {
      characters[i] = BASE64[random.nextInt(BASE64.length)];
    }
    return new String(characters);
  }

  /**
   * A seed for each chunk, unlike its neighbours': the finaliser of SplitMix64 (Steele, Lea and
   * Flood, "Fast splittable pseudorandom number generators", 2014).
   */
  private static long mixed(long seed, long chunk) {
    long z = seed + (chunk + 1) * 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
