package io.tidemark.examples;

import io.tidemark.cli.SessionFactory;
import io.tidemark.cli.Tidemark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * A warehouse to look at: some days of departures, streamed and settled day by day, and a candidate
 * that counts delays otherwise. What the notebooks show.
 */
public final class AnalystsDemo {

  private static final LocalTime CUT = LocalTime.of(2, 0);

  /** Days that are streamed and settled before the definition is changed. */
  private static final int DAYS_BEFORE = 3;

  private static final int DAYS = 5;

  private final Path file;
  private final Path warehouse;

  private AnalystsDemo(Path file, Path warehouse) {
    this.file = file;
    this.warehouse = warehouse;
  }

  /**
   * Makes the warehouse.
   *
   * @param arguments the folder {@code examples/flights}, and an empty folder, which gets {@code
   *     flights.yaml}, {@code landing} and {@code warehouse}
   */
  public static void main(String[] arguments) throws IOException {
    Path example = Path.of(arguments[0]);
    Path folder = Path.of(arguments[1]).toAbsolutePath();
    Path landing = folder.resolve("landing");
    // All verbs share it.
    SessionFactory.open("demo", FlightsDemo.SETTINGS);
    AnalystsDemo demo =
        new AnalystsDemo(folder.resolve("flights.yaml"), folder.resolve("warehouse"));
    Files.createDirectories(landing);
    String definition =
        Files.readString(example.resolve("flights.yaml"))
            .replaceFirst("path: \\S+", "path: " + landing);
    Files.writeString(demo.file, definition);
    Departures departures = Departures.read(example.resolve("flights.jsonl.gz"), CUT);
    List<Instant> days = departures.starts();
    demo.run("init");
    for (Instant day : days.subList(0, DAYS_BEFORE)) {
      departures.land(day, landing);
      demo.run("stream", "--available-now");
      demo.run("settle");
    }
    Files.writeString(
        demo.file,
        definition.replace(
            "sum(departure_delay_minutes)", "sum(greatest(departure_delay_minutes, 0))"));
    demo.run("rebuild");
    for (Instant day : days.subList(DAYS_BEFORE, DAYS)) {
      departures.land(day, landing);
      demo.run("stream", "--available-now");
    }
    demo.run("settle");
    demo.run("compare", "--expect", "delay_minutes", "--most", "3");
    System.exit(0);
  }

  private void run(String verb, String... words) {
    System.out.println("tidemark " + verb + " flights.yaml " + String.join(" ", words));
    int exitCode =
        Tidemark.run(
            Stream.concat(
                    Stream.of(verb, file.toString(), "--warehouse", warehouse.toString()),
                    Stream.of(words))
                .toArray(String[]::new));
    if (exitCode != 0) {
      throw new IllegalStateException("tidemark " + verb + " ended with exit " + exitCode);
    }
  }
}
