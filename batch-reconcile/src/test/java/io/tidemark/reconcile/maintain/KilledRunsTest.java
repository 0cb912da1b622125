package io.tidemark.reconcile.maintain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tables.FileTotal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledRunsTest {

  private static final Instant BEFORE = Instant.parse("2026-03-01T00:00:00Z");

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

  @Test
  void tablesOfARunGoOnceItHasWrittenNothingForLong() throws IOException {
    file("killed/archive/_delta_log/0.json", BEFORE.minusSeconds(9));
    file("killed/archive/part", BEFORE.minusSeconds(1));
    file("running/archive/_delta_log/0.json", BEFORE.minusSeconds(9));
    file("running/archive/part", BEFORE);
    KilledRuns runs = new KilledRuns(at(folder), BEFORE);

    assertThat(runs.removable()).isEqualTo(new FileTotal(2, 8));
    assertThat(runs.remove()).isEqualTo(new FileTotal(2, 8));

    assertThat(folder.resolve("killed")).doesNotExist();
    assertThat(folder.resolve("running/archive/part")).exists();
    assertThat(runs.remove()).isEqualTo(FileTotal.NONE);
    assertThat(new KilledRuns(at(folder.resolve("nowhere")), BEFORE).remove())
        .isEqualTo(FileTotal.NONE);
  }
}
