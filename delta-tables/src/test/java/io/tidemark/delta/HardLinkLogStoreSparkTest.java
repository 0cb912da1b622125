package io.tidemark.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tables.TestSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That Delta takes the commit rule from the setting that the Javadoc names. */
@Tag("spark")
class HardLinkLogStoreSparkTest {

  @TempDir Path directory;

  @Test
  void deltaWritesItsLogByTheRule() throws Exception {
    String table = directory.resolve("table").toString();
    SparkSession spark = TestSession.with(DeltaSession.settings());

    for (int commit = 0; commit <= 11; commit++) {
      spark.range(1).write().format("delta").mode("append").save(table);
    }

    assertThat(spark.read().format("delta").load(table).count()).isEqualTo(12);
    List<String> log = namesIn(Path.of(table, "_delta_log"));
    assertThat(log).contains("00000000000000000011.json", "_last_checkpoint");
    assertThat(log)
        .as("Delta's own store leaves Hadoop's checksums of what it writes")
        .doesNotContain(".00000000000000000011.json.crc", "._last_checkpoint.crc");
  }

  private static List<String> namesIn(Path log) throws Exception {
    try (Stream<Path> files = Files.list(log)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
