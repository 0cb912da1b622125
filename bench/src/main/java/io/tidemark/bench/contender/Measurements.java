package io.tidemark.bench.contender;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Measures steps of this process: wall time, CPU time of all its threads, time in garbage
 * collection, all in seconds. Writes a line of JSON for each.
 */
final class Measurements implements AutoCloseable {

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final BufferedWriter out;

  Measurements(Path file) throws IOException {
    this.out = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
  }

  /**
   * Runs a step and writes what it took.
   *
   * @param warm whether it counts; what is run before is only to warm up
   * @param step gives what is to be written besides
   */
  void measure(String name, boolean warm, Callable<Map<String, Object>> step) throws Exception {
    long cpu = PROCESS.getProcessCpuTime();
    long collection = collectionMillis();
    long wall = System.nanoTime();
    Map<String, Object> facts = step.call();
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("step", name);
    line.put("warm", warm);
    line.put("wall_s", (System.nanoTime() - wall) / 1e9);
    line.put("cpu_s", (PROCESS.getProcessCpuTime() - cpu) / 1e9);
    line.put("gc_s", (collectionMillis() - collection) / 1e3);
    line.putAll(facts);
    out.write(JSON.writeValueAsString(line));
    out.newLine();
    out.flush();
  }

  private static long collectionMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
