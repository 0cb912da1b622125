package io.tidemark.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The claims of one lease, each an object named by its number. The highest one counts. */
record LeaseClaims(FileSystem fileSystem, Path folder) {

  private static final String NAME = "%019d";

  /** The claim that counts now. Cost: a listing and a read. */
  Optional<LeaseClaim> newest() throws IOException {
    while (true) {
      Optional<Long> number = numbers().stream().max(Long::compare);
      if (number.isEmpty()) {
        return Optional.empty();
      }
      try {
        return Optional.of(read(number.get()));
      } catch (FileNotFoundException deletedMeanwhile) {
        // There is a higher one then.
      }
    }
  }

  LeaseClaim read(long number) throws IOException {
    Path path = path(number);
    try (InputStream in = fileSystem.open(path)) {
      return LeaseClaim.parse(number, new String(in.readAllBytes(), UTF_8), path.toString());
    }
  }

  /**
   * Makes a claim.
   *
   * @throws FileAlreadyExistsException if there is one of this number
   */
  void make(LeaseClaim claim, Duration patience) throws IOException {
    new ConditionalPut(fileSystem, patience)
        .create(path(claim.number()), claim.text().getBytes(UTF_8));
  }

  boolean isNewest(LeaseClaim claim) throws IOException {
    return numbers().stream().allMatch(number -> number <= claim.number());
  }

  void deleteBelow(long number) throws IOException {
    for (long lower : numbers()) {
      if (lower < number) {
        delete(lower);
      }
    }
  }

  void delete(long number) throws IOException {
    fileSystem.delete(path(number), false);
  }

  private List<Long> numbers() throws IOException {
    try {
      return Arrays.stream(fileSystem.listStatus(folder))
          .map(file -> file.getPath().getName())
          .filter(name -> name.matches("[0-9]{19}"))
          .map(Long::valueOf)
          .toList();
    } catch (FileNotFoundException none) {
      return List.of();
    }
  }

  private Path path(long number) {
    return new Path(folder, NAME.formatted(number));
  }
}
