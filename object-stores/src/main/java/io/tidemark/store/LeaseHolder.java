package io.tidemark.store;

import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/**
 * Who holds a lease.
 *
 * @param id of this holding; the same process may hold others
 * @param process for people: {@code 4711@host}
 * @param since when it took the lease, by its own clock; for people only
 */
public record LeaseHolder(String id, String process, Instant since) {

  public LeaseHolder {
    if (id.isBlank() || process.isBlank() || process.contains("\n")) {
      throw new IllegalArgumentException("a lease's holder '" + id + "', '" + process + "'");
    }
  }

  static LeaseHolder thisProcess(Clock clock) {
    return new LeaseHolder(
        UUID.randomUUID().toString(),
        ManagementFactory.getRuntimeMXBean().getName(),
        clock.instant().truncatedTo(ChronoUnit.SECONDS));
  }

  String text() {
    return String.join("\n", id, process, since.toString());
  }

  static LeaseHolder parse(List<String> lines, String where) {
    try {
      return new LeaseHolder(lines.get(0), lines.get(1), Instant.parse(lines.get(2)));
    } catch (RuntimeException e) {
      throw new UnsafeEnvironmentException(
          "Cannot read the lease "
              + where
              + ": it is not one of this program's. See whether the warehouse is another's; if no"
              + " process runs there, delete it.",
          e);
    }
  }
}
