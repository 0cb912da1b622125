package io.tidemark.bench.workload;

import java.util.Comparator;

/**
 * An event as it arrives; a copy differs in the arrival alone.
 *
 * @param idHigh the first half of its id of 128 bits
 * @param idLow the second half
 * @param number of the event among all, from 0 on
 * @param type 0, 1 or 2
 * @param valueCents from 1 to 100,000
 * @param eventMicros when it happened, since 1970
 * @param arrivalMicros when it arrived, since 1970
 * @param copy whether its sender had sent it before
 * @param payload base64 characters; empty: none
 */
record BenchEvent(
    long idHigh,
    long idLow,
    long number,
    int key,
    int type,
    long valueCents,
    long eventMicros,
    long arrivalMicros,
    boolean copy,
    String payload) {

  static final Comparator<BenchEvent> BY_ARRIVAL =
      Comparator.comparingLong(BenchEvent::arrivalMicros).thenComparingLong(BenchEvent::number);

  BenchEvent sentAgain(long micros) {
    return new BenchEvent(
        idHigh, idLow, number, key, type, valueCents, eventMicros, micros, true, payload);
  }
}
