package io.tidemark.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.FileFormat;
import io.tidemark.spec.Source;
import io.tidemark.spec.error.SpecException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFilesTest {

  private static final Instant WRITTEN = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir Path directory;

  @BeforeEach
  void write() throws IOException {
    for (String name :
        List.of(
            "2025/01/a.jsonl",
            "2025/02/b.jsonl",
            "2025/02/b.crc",
            "2025/_tmp/c.jsonl",
            "2025/.d.jsonl",
            "2026/e[1].jsonl")) {
      Path file = directory.resolve(name);
      Files.createDirectories(file.getParent());
      Files.setLastModifiedTime(Files.writeString(file, name), FileTime.from(WRITTEN));
    }
  }

  @Test
  void belowADirectoryLieTheFilesThatFitTheSource() {
    assertThat(found(Optional.of("*.jsonl"), "2025"))
        .containsExactly("2025/01/a.jsonl", "2025/02/b.jsonl");
    assertThat(found(Optional.empty(), "2025"))
        .containsExactly("2025/01/a.jsonl", "2025/02/b.crc", "2025/02/b.jsonl");
  }

  @Test
  void globsAndNamesAreTakenAsGivenEachFileOnce() {
    assertThat(found(Optional.of("*.jsonl"), "*/02/b.*", "2025", "2026/e[1].jsonl"))
        .containsExactly("2025/01/a.jsonl", "2025/02/b.crc", "2025/02/b.jsonl", "2026/e[1].jsonl");
  }

  @Test
  void everyPlaceWithoutAFileIsNamed() {
    assertThatThrownBy(
            () -> find(Optional.of("*.csv"), "2025", "2026/e[1].jsonl", "nowhere", "2025/.d.jsonl"))
        .isInstanceOf(SpecException.class)
        .hasMessage(
            "Cannot import: there is no file at %1$s/2025, %1$s/nowhere, %1$s/2025/.d.jsonl, or none"
                    .formatted(directory)
                + " below it that fits *.csv. Mend the path (a relative one is looked up from the"
                + " directory that the command is started in); names that begin with _ or . are"
                + " left aside.");
  }

  @Test
  void theSameFilesAreTheSameImportHoweverTheyAreNamed() throws IOException {
    String id = find(Optional.of("*.jsonl"), "2025").importId();

    assertThat(id)
        .isEqualTo(find(Optional.empty(), "2025/02/*.jsonl", "2025/01/../01/a.jsonl").importId())
        .isNotEqualTo(find(Optional.empty(), "2025").importId());

    Files.writeString(directory.resolve("2025/01/a.jsonl"), "another");

    assertThat(find(Optional.of("*.jsonl"), "2025").importId()).isNotEqualTo(id);
  }

  private List<String> found(Optional<String> glob, String... locations) {
    return find(glob, locations).paths().stream()
        .map(path -> path.replace("file:" + directory + "/", ""))
        .toList();
  }

  private HistoryFiles find(Optional<String> glob, String... locations) {
    Source.Files source =
        new Source.Files(
            "/data", glob, FileFormat.JSON, Map.of(), OptionalInt.empty(), Optional.empty());
    return HistoryFiles.find(
        new Configuration(false),
        source,
        Arrays.stream(locations).map(location -> directory + "/" + location).toList());
  }
}
