package io.tidemark.tests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.delta.DeltaLog;

/**
 * Makes a warehouse look as if all of it had been written earlier: the times in the tables' logs,
 * and those of every file. No stream may run on it meanwhile.
 */
public final class Ageing {

  private static final Pattern TIMES =
      Pattern.compile("(\"(?:timestamp|deletionTimestamp|modificationTime)\":)(\\d{13})");

  private Ageing() {}

  public static void by(Duration age, Path warehouse) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(warehouse)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      Path folder = file.getParent();
      if (folder.endsWith("_delta_log") && !isCommit(file)) {
        // A checkpoint or checksum has the times too, and can be made from the commits again.
        Files.delete(file);
        continue;
      }
      FileTime written = Files.getLastModifiedTime(file);
      if (isCommit(file)) {
        Files.writeString(
            file,
            TIMES
                .matcher(Files.readString(file))
                .replaceAll(
                    found -> found.group(1) + (Long.parseLong(found.group(2)) - age.toMillis())));
      }
      Files.setLastModifiedTime(file, FileTime.from(written.toInstant().minus(age)));
    }
    DeltaLog.clearCache();
  }

  private static boolean isCommit(Path file) {
    return file.getParent().endsWith("_delta_log") && file.toString().endsWith(".json");
  }
}
