package io.tidemark.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * The departure reports of {@code flights.jsonl.gz}, cut into slices of their arrival time, which
 * land in a source's directory as files would: in order, each in one step.
 */
final class Departures {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final NavigableMap<Instant, List<String>> slices;

  private Departures(NavigableMap<Instant, List<String>> slices) {
    this.slices = slices;
  }

  /**
   * Reads the reports.
   *
   * @param cut time of each day (UTC) at which a slice begins
   */
  static Departures read(Path gzippedLines, LocalTime cut) {
    NavigableMap<Instant, List<String>> slices = new TreeMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(gzippedLines)), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Instant arrival = Instant.parse(JSON.readTree(line).get("actual_departure").asText());
        slices.computeIfAbsent(start(arrival, cut), slice -> new ArrayList<>()).add(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the departures " + gzippedLines, e);
    }
    return new Departures(slices);
  }

  private static Instant start(Instant arrival, LocalTime cut) {
    LocalDateTime time = LocalDateTime.ofInstant(arrival, ZoneOffset.UTC);
    LocalDateTime today = time.toLocalDate().atTime(cut);
    return (time.isBefore(today) ? today.minusDays(1) : today).toInstant(ZoneOffset.UTC);
  }

  /** Starts of the slices, in order. */
  List<Instant> starts() {
    return List.copyOf(slices.keySet());
  }

  /**
   * Lands a slice: written under a hidden name, then renamed, with the slice's start as
   * modification time.
   *
   * @return whether it is new
   */
  boolean land(Instant start, Path directory) {
    String name = "departures-" + start.toString().replace(":", "") + ".jsonl";
    Path target = directory.resolve(name);
    if (Files.exists(target)) {
      return false;
    }
    try {
      Files.createDirectories(directory);
      Path hidden = directory.resolve("." + name);
      Files.write(hidden, slices.getOrDefault(start, List.of()));
      Files.setLastModifiedTime(hidden, FileTime.from(start));
      Files.move(hidden, target, StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot land " + target, e);
    }
  }
}
