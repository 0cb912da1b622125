package io.tidemark.reconcile.maintain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tables.FileTotal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {

  private static final Instant BEFORE = Instant.parse("2026-03-01T00:00:00Z");
  private static final String UUID = "2e99e77a-c7c6-47b1-8458-34697c374487";

  @TempDir Path folder;

  private static Folder at(Path path) {
    return Folder.at(path.toString(), new Configuration(false));
  }

  private void file(String name, Instant changed) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "1234");
    Files.setLastModifiedTime(file, FileTime.from(changed));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void temporaryFilesOfCheckpointsGoWhenTheyAreOldAndNothingElseDoes() throws IOException {
    Instant old = BEFORE.minusSeconds(1);
    file("g1/offsets/5", old);
    file("g1/offsets/.5.crc", old);
    file("g1/offsets/.6." + UUID + ".tmp", old);
    file("g1/offsets/..6." + UUID + ".tmp.crc", old);
    file("g1/offsets/.7." + UUID + ".tmp", BEFORE);
    file("g1/state/0/0/9.changelog", old);
    file("g1.lock", old);
    Leftovers leftovers = Leftovers.ofCheckpoints(at(folder), BEFORE);

    assertThat(leftovers.removable()).isEqualTo(new FileTotal(2, 8));
    assertThat(leftovers.remove()).isEqualTo(new FileTotal(2, 8));

    assertThat(leftovers.removable()).isEqualTo(FileTotal.NONE);
    assertThat(names())
        .containsExactly(
            "g1.lock",
            "g1/offsets/.5.crc",
            "g1/offsets/.7." + UUID + ".tmp",
            "g1/offsets/5",
            "g1/state/0/0/9.changelog");
  }

  @Test
  void oldResultFilesGoAndWhatAUserPutThereStays() throws IOException {
    Instant old = BEFORE.minusSeconds(1);
    file("settle-" + UUID + ".json", old);
    file("verify-" + UUID + ".json", BEFORE);
    file(".result-123.tmp", old);
    file("keep.json", old);
    Leftovers leftovers = Leftovers.ofRuns(at(folder), BEFORE);

    assertThat(leftovers.remove()).isEqualTo(new FileTotal(2, 8));

    assertThat(names()).containsExactly("keep.json", "verify-" + UUID + ".json");
  }

  @Test
  void aFolderThatIsNotThereHoldsNothing() {
    assertThat(Leftovers.ofRuns(at(folder.resolve("none")), BEFORE).remove())
        .isEqualTo(FileTotal.NONE);
  }
}
