package io.tidemark.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Makes a workload below a directory: {@code day SIZE DIRECTORY}, e.g. {@code day S bench-data/S},
 * or {@code peak EVENTS_PER_BATCH BATCHES FILL_RATE DIRECTORY}, e.g. {@code peak 300000 6 5787
 * bench-data/peak}.
 */
public final class MakeWorkload {

  private static final long SEED = 20_260_101;
  private static final long EVENTS_PER_FILE = 300_000;

  private MakeWorkload() {}

  public static void main(String[] arguments) throws IOException {
    if (isDay(arguments)) {
      new WorkloadFiles(Path.of(arguments[2]), EVENTS_PER_FILE)
          .write(Size.valueOf(arguments[1]).workload(SEED));
    } else if (isPeak(arguments)) {
      new Peak(
              Long.parseLong(arguments[1]),
              Integer.parseInt(arguments[2]),
              Long.parseLong(arguments[3]))
          .write(Path.of(arguments[4]), SEED);
    } else {
      System.err.println(
          "Give 'day' with a size (%s) and a directory, or 'peak' with events per batch, batches, the rate of the fill and a directory."
              .formatted(
                  Arrays.stream(Size.values()).map(Size::name).collect(Collectors.joining(", "))));
      System.exit(2);
    }
  }

  private static boolean isDay(String[] arguments) {
    return arguments.length == 3
        && arguments[0].equals("day")
        && Arrays.stream(Size.values()).anyMatch(size -> size.name().equals(arguments[1]));
  }

  private static boolean isPeak(String[] arguments) {
    return arguments.length == 5
        && arguments[0].equals("peak")
        && Arrays.stream(arguments, 1, 4).allMatch(number -> number.matches("[1-9][0-9]{0,8}"));
  }
}
