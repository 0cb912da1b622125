package io.tidemark.spec.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidemark.spec.FileFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code docs/pipeline-spec.md} says is what the parser does. */
class DocumentationTest {

  private static final Pattern YAML_BLOCK =
      Pattern.compile("^```yaml\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  static Stream<String> examples() throws IOException {
    return YAML_BLOCK.matcher(documentation()).results().map(block -> block.group(1));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleIsGood(String yaml) {
    assertThatCode(() -> PipelineParser.parse("pipeline-spec.md", yaml)).doesNotThrowAnyException();
  }

  static Stream<Path> exampleFiles() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("..", "examples"))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("exampleFiles")
  void everyExamplePipelineIsGood(Path file) throws IOException {
    assertThat(PipelineParser.parse(file.toString(), Files.readString(file)).warnings()).isEmpty();
  }

  @Test
  void everyKeyIsDescribed() throws IOException {
    List<String> code =
        Pattern.compile("`([^`\\n]+)`")
            .matcher(documentation())
            .results()
            .map((MatchResult match) -> match.group(1))
            .toList();
    KnownKeys.sections()
        .forEach(
            (path, known) ->
                assertThat(
                        Stream.concat(known.now().stream(), known.notYet().keySet().stream())
                            .filter(key -> !known.equals(KnownKeys.TIME_COLUMN))
                            .map(key -> path.equals("window.hopping") ? "hopping." + key : key)
                            .filter(key -> !key.equals("hopping")))
                    .as("keys of '%s'", path)
                    .isSubsetOf(code));
  }

  @Test
  void everyOptionIsListed() throws IOException {
    String text = documentation();
    for (FileFormat format : FileFormat.values()) {
      assertThat(FormatOptions.allowed(format))
          .allSatisfy(option -> assertThat(text).contains("`" + option + "`"));
    }
  }

  private static String documentation() throws IOException {
    return Files.readString(Path.of("..", "docs", "pipeline-spec.md"));
  }
}
