package io.tidemark.tests.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;

/** What arrives together, as one file. */
public record ArrivalBatch(String fileName, List<SourceRecord> records) {

  public ArrivalBatch {
    records = List.copyOf(records);
  }

  /** The file's content: a record a line. */
  public String text() {
    return records.stream().map(record -> record.line() + "\n").collect(Collectors.joining());
  }

  /** Puts the file into the directory in one step: readers skip names that begin with a dot. */
  public Path landIn(Path directory) throws IOException {
    Path hidden = Files.writeString(directory.resolve("." + fileName), text());
    return Files.move(hidden, directory.resolve(fileName), StandardCopyOption.ATOMIC_MOVE);
  }
}
