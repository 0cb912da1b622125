package io.tidemark.tests.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.tests.oracle.ArrivalBatch;
import io.tidemark.tests.oracle.Event;
import io.tidemark.tests.oracle.SourceRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The events of {@code cases/dry_run.csv}, each an arrival of its own. */
public final class DryRunEvents {

  private DryRunEvents() {}

  /** In the order of their arrival; the file is named after the event. */
  public static List<ArrivalBatch> arrivals() {
    return text().lines().skip(1).map(DryRunEvents::arrival).toList();
  }

  static String text() {
    try (InputStream csv = DryRunEvents.class.getResourceAsStream("/cases/dry_run.csv")) {
      return new String(csv.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read cases/dry_run.csv", e);
    }
  }

  /** A directory's own copy of the case. */
  public static boolean sameAsIn(Path cases) throws IOException {
    return Files.readString(cases.resolve("dry_run.csv")).equals(text());
  }

  private static ArrivalBatch arrival(String line) {
    String[] fields = line.split(",", 6);
    Event event =
        new Event(fields[1], fields[2], Instant.parse(fields[3]), Instant.parse(fields[4]), 1L);
    String file = fields[0] + ".jsonl";
    return new ArrivalBatch(file, List.of(SourceRecord.of(file, event)));
  }
}
