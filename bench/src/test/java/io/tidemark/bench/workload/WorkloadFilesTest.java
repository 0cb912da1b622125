package io.tidemark.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadFilesTest {

  private static final Workload WORKLOAD =
      new Workload(
          7,
          20_000,
          Instant.parse("2026-01-01T00:00:00Z"),
          Duration.ofHours(3),
          Duration.ofMinutes(1),
          20,
          1.0,
          Lateness.MOBILE,
          16);

  @TempDir Path directory;

  private static List<String> lines(Path directory) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory.resolve("events"))) {
      for (Path file : files.sorted().toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }

  @Test
  void aWorkloadIsTheSameBytesHoweverItsFilesAreCut() throws IOException {
    Path one = directory.resolve("one");
    Path other = directory.resolve("other");
    new WorkloadFiles(one, 3_000).write(WORKLOAD);
    new WorkloadFiles(other, 3_000).write(WORKLOAD);
    List<String> manifest = Files.readAllLines(one.resolve("manifest.txt"));

    assertThat(Files.readAllLines(other.resolve("manifest.txt"))).isEqualTo(manifest);
    assertThat(manifest).hasSize(7);
    assertThat(manifest.get(0)).matches("[0-9a-f]{64} 3000 events/00000\\.jsonl");
    List<String> lines = lines(one);
    new WorkloadFiles(other, 1_000_000).write(WORKLOAD);
    assertThat(lines(other)).isEqualTo(lines);
    assertThat(Files.readAllLines(other.resolve("manifest.txt"))).hasSize(1);
  }

  /**
   * By another way than the oracle's: from the lines as a reader sees them, copies by their ids.
   */
  @Test
  void theOracleIsWhatIsWrittenCountedOnce() throws IOException {
    new WorkloadFiles(directory, 3_000).write(WORKLOAD);
    TreeMap<String, long[]> groups = new TreeMap<>();
    Set<String> ids = new HashSet<>();
    ObjectMapper json = new ObjectMapper();
    for (String line : lines(directory)) {
      JsonNode event = json.readTree(line);
      if (ids.add(event.get("event_id").asText())) {
        Instant window =
            Instant.parse(event.get("event_time").asText()).truncatedTo(ChronoUnit.MINUTES);
        long[] sums =
            groups.computeIfAbsent(window + "," + event.get("key").asText(), key -> new long[2]);
        sums[0]++;
        sums[1] += event.get("value").asLong();
      }
    }
    List<String> expected = new ArrayList<>(List.of("window_start,key,events,total"));
    groups.forEach((group, sums) -> expected.add(group + "," + sums[0] + "," + sums[1]));

    assertThat(ids).hasSize(20_000);
    assertThat(Files.readAllLines(directory.resolve("oracle.csv"))).isEqualTo(expected);
    assertThat(directory.resolve("counting")).doesNotExist();
  }

  @Test
  void aLineIsTheEventAsItsSenderWroteIt() {
    BenchEvent event =
        new BenchEvent(
            0x0123456789abcdefL,
            -1,
            5,
            12_345,
            1,
            250,
            1_767_225_600_000_001L,
            1_767_225_602_500_000L,
            false,
            "");

    assertThat(EventJson.line(event))
        .isEqualTo(
            "{\"event_id\":\"0123456789abcdefffffffffffffffff\",\"producer_id\":345,\"seq\":5,"
                + "\"key\":\"k0012345\",\"event_type\":\"click\",\"value\":250,"
                + "\"event_time\":\"2026-01-01T00:00:00.000001Z\","
                + "\"ingest_time\":\"2026-01-01T00:00:02.500Z\"}\n");
  }
}
