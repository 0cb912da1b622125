package io.tidemark.spec.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** {@code docs/schema.json} and the parser know the same keys. JSON is read as YAML. */
class JsonSchemaTest {

  private static Map<?, ?> schema;

  @BeforeAll
  static void readSchema() throws IOException {
    String json = Files.readString(Path.of("..", "docs", "schema.json"));
    schema = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(json);
  }

  @Test
  void schemaAndParserKnowTheSameKeys() {
    Map<String, Set<String>> ofSchema = new HashMap<>();
    collectKeys("", schema, ofSchema);
    Map<String, Set<String>> ofParser = new HashMap<>();
    KnownKeys.sections().forEach((path, keys) -> ofParser.put(path, new TreeSet<>(keys.now())));
    assertThat(ofSchema).isEqualTo(ofParser);
  }

  @Test
  void whatTheSchemaRequiresTheParserRequires() {
    assertThat(strings(schema.get("required")))
        .allSatisfy(
            key ->
                assertThat(PipelineText.good().without(key).problems())
                    .anySatisfy(problem -> assertThat(problem).startsWith(key + ": is missing")));
    for (String key : PipelineText.good().lines().keySet()) {
      assertThat(strings(schema.get("required"))).contains(key);
    }
  }

  @Test
  void everySectionRefusesOtherKeys() {
    assertThat(schema.get("additionalProperties")).isEqualTo(false);
    ((Map<?, ?>) schema.get("properties"))
        .forEach(
            (name, property) -> {
              if (((Map<?, ?>) property).containsKey("properties")) {
                assertThat(((Map<?, ?>) property).get("additionalProperties"))
                    .as("%s", name)
                    .isEqualTo(false);
              }
            });
  }

  /** Fills in the keys of each object that lists its properties, by path. */
  private static void collectKeys(String path, Map<?, ?> node, Map<String, Set<String>> keys) {
    if (node.get("$ref") instanceof String reference) {
      String name = reference.replace("#/$defs/", "");
      collectKeys(path, (Map<?, ?>) ((Map<?, ?>) schema.get("$defs")).get(name), keys);
    }
    if (node.get("anyOf") instanceof List<?> choices) {
      choices.forEach(choice -> collectKeys(path, (Map<?, ?>) choice, keys));
    }
    if (node.get("properties") instanceof Map<?, ?> properties) {
      keys.put(path, new TreeSet<>(strings(List.copyOf(properties.keySet()))));
      properties.forEach(
          (name, property) ->
              collectKeys(
                  path.isEmpty() ? name.toString() : path + "." + name,
                  (Map<?, ?>) property,
                  keys));
    }
  }

  private static List<String> strings(Object list) {
    return ((List<?>) list).stream().map(Object::toString).toList();
  }
}
