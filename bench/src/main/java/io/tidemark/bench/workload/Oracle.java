package io.tidemark.bench.workload;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Counts what is exact: per window and key, how many events there are and the sum of their values,
 * each event once. Knows copies from events, because it is told when they are made, and shares no
 * code with what is measured. Events go to a file for each hour first, so that no size of workload
 * is too large for memory.
 */
final class Oracle implements AutoCloseable {

  private static final long HOUR_MILLIS = 3_600_000;
  private static final String HEADER = "window_start,key,events,total\n";

  private final Path directory;
  private final long windowMillis;
  private final NavigableMap<Long, DataOutputStream> hours = new TreeMap<>();

  private record Group(long windowStartMillis, int key) implements Comparable<Group> {
    @Override
    public int compareTo(Group other) {
      int byWindow = Long.compare(windowStartMillis, other.windowStartMillis);
      return byWindow == 0 ? Integer.compare(key, other.key) : byWindow;
    }
  }

  private static final class Sums {
    private long events;
    private long total;
  }

  /**
   * @param directory for what is in between; the caller removes it
   * @param windowMillis divides an hour
   */
  Oracle(Path directory, long windowMillis) {
    if (HOUR_MILLIS % windowMillis != 0) {
      throw new IllegalArgumentException("window does not divide an hour: " + windowMillis + "ms");
    }
    this.directory = directory;
    this.windowMillis = windowMillis;
  }

  /**
   * Counts an event.
   *
   * @param event no copy of one that was counted
   */
  void count(BenchEvent event) throws IOException {
    long millis = Math.floorDiv(event.eventMicros(), 1_000L);
    long hour = Math.floorDiv(millis, HOUR_MILLIS);
    DataOutputStream out = hours.get(hour);
    if (out == null) {
      out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file(hour))));
      hours.put(hour, out);
    }
    out.writeLong(Math.floorDiv(millis, windowMillis) * windowMillis);
    out.writeInt(event.key());
    out.writeLong(event.valueCents());
  }

  /** Writes all groups as CSV, by window and key. */
  void write(Path csv) throws IOException {
    close();
    try (BufferedWriter out = Files.newBufferedWriter(csv, StandardCharsets.UTF_8)) {
      out.write(HEADER);
      for (long hour : hours.keySet()) {
        for (Map.Entry<Group, Sums> group : new TreeMap<>(sums(hour)).entrySet()) {
          out.write(Instant.ofEpochMilli(group.getKey().windowStartMillis()) + ",");
          out.write(EventJson.key(group.getKey().key()) + ",");
          out.write(group.getValue().events + "," + group.getValue().total + "\n");
        }
      }
    }
  }

  private Map<Group, Sums> sums(long hour) throws IOException {
    Map<Group, Sums> groups = new HashMap<>();
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file(hour))))) {
      while (true) {
        Sums sums =
            groups.computeIfAbsent(new Group(in.readLong(), in.readInt()), group -> new Sums());
        sums.events++;
        sums.total += in.readLong();
      }
    } catch (EOFException end) {
      return groups;
    }
  }

  private Path file(long hour) {
    return directory.resolve("hour-" + hour);
  }

  @Override
  public void close() throws IOException {
    for (DataOutputStream out : hours.values()) {
      out.close();
    }
  }
}
