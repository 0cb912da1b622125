package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFileTest {

  @TempDir Path directory;

  private static Map<String, Object> result() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("frontier", Instant.parse("2026-03-01T10:00:00Z"));
    data.put("lag", Duration.ofSeconds(90));
    data.put("rows", List.of(Map.of("clicks", 5L)));
    data.put("nothing", null);
    return data;
  }

  @Test
  void timesAreText() {
    assertThat(ResultFile.json(result()))
        .isEqualToNormalizingNewlines(
            """
            {
              "frontier" : "2026-03-01T10:00:00Z",
              "lag" : "PT1M30S",
              "rows" : [ {
                "clicks" : 5
              } ],
              "nothing" : null
            }""");
  }

  @Test
  void aFileIsReplacedAsAWholeAndLeavesNothingBeside() throws Exception {
    Path file = directory.resolve("runs/settle.json");
    ResultFile.write(file, Map.of("first", 1));
    ResultFile.write(file, Map.of("second", 2));

    assertThat(Files.readString(file)).isEqualToNormalizingNewlines("{\n  \"second\" : 2\n}\n");
    try (Stream<Path> files = Files.list(file.getParent())) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void aPlaceThatCannotBeWrittenIsNamed() throws Exception {
    Path file = Files.createFile(directory.resolve("file")).resolve("result.json");

    assertThatThrownBy(() -> ResultFile.write(file, Map.of()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("Cannot write the result file " + file);
  }
}
