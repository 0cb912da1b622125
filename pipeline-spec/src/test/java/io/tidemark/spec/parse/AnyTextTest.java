package io.tidemark.spec.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.error.SpecException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever a file holds, it is a pipeline or a list of problems, never a crash. */
class AnyTextTest {

  private static final String CHARACTERS = " :{}[]\"'`,#&*!|>%@-?()\n\t\\~0aZé";

  @Property(tries = 150)
  void aFileWithTypingErrorsIsReadOrRefused(
      @ForAll @Size(min = 1, max = 3) List<@IntRange(min = 0, max = 1 << 20) Integer> errors)
      throws IOException {
    StringBuilder yaml = new StringBuilder(full());
    for (int error : errors) {
      yaml.setCharAt(error % yaml.length(), CHARACTERS.charAt(error % CHARACTERS.length()));
    }
    assertReadOrRefused(yaml.toString());
  }

  @Property(tries = 100)
  void aFileWithMixedUpLinesIsReadOrRefused(
      @ForAll @IntRange(min = 0, max = 1 << 20) int from,
      @ForAll @IntRange(min = 0, max = 1 << 20) int to)
      throws IOException {
    List<String> lines = new ArrayList<>(full().lines().toList());
    String moved = lines.remove(from % lines.size());
    if (from % 2 == 0) {
      lines.add(to % lines.size(), moved);
    }
    assertReadOrRefused(String.join("\n", lines));
  }

  private static void assertReadOrRefused(String yaml) {
    try {
      assertThat(PipelineParser.parse("typo.yaml", yaml).spec()).isNotNull();
    } catch (SpecException e) {
      List<String> lines = e.getMessage().lines().toList();
      assertThat(lines.get(0)).startsWith("Cannot use the pipeline file typo.yaml: ");
      assertThat(lines.subList(1, lines.size()))
          .isNotEmpty()
          .allMatch(line -> line.matches("typo\\.yaml:\\d+: .*[.?]"));
    }
  }

  private static String full() throws IOException {
    return Files.readString(
        Path.of("src", "test", "resources", "io", "tidemark", "spec", "parse", "full.yaml"));
  }
}
