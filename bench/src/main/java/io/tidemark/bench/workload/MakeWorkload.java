package io.tidemark.bench.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Makes the main workload of a size: {@code SIZE DIRECTORY}, e.g. {@code S bench-data}. */
public final class MakeWorkload {

  private static final long SEED = 20_260_101;

  /** One file is one batch of a stream: 30 s of the peak of a thousand million events a day. */
  private static final long EVENTS_PER_FILE = 300_000;

  private MakeWorkload() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2 || !isSize(arguments[0])) {
      System.err.println(
          "Give a size (%s) and a directory."
              .formatted(
                  Arrays.stream(Size.values()).map(Size::name).collect(Collectors.joining(", "))));
      System.exit(2);
    }
    new WorkloadFiles(Path.of(arguments[1]), EVENTS_PER_FILE)
        .write(Size.valueOf(arguments[0]).workload(SEED));
  }

  private static boolean isSize(String text) {
    return Arrays.stream(Size.values()).anyMatch(size -> size.name().equals(text));
  }
}
