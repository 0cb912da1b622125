package io.tidemark.tests.harness;

import io.tidemark.tests.oracle.ArrivalBatch;
import io.tidemark.tests.oracle.Event;
import io.tidemark.tests.oracle.SourceRecord;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Events written by hand, of value 1, that arrive when they happen. */
public final class Events {

  private Events() {}

  public static Event at(String id, @Nullable String key, Instant time) {
    return new Event(id, key, time, time, 1L);
  }

  /** Events of one key at one time; their ids are numbered. */
  public static List<Event> many(int number, String id, String key, Instant time) {
    return IntStream.range(0, number).mapToObj(i -> at(id + "-" + i, key, time)).toList();
  }

  public static ArrivalBatch file(String name, Event... events) {
    return file(name, Arrays.asList(events));
  }

  public static ArrivalBatch file(String name, List<Event> events) {
    String fileName = name + ".jsonl";
    return new ArrivalBatch(
        fileName, events.stream().map(event -> SourceRecord.of(fileName, event)).toList());
  }
}
