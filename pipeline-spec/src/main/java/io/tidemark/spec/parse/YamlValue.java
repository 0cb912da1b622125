package io.tidemark.spec.parse;

import io.tidemark.spec.Percentage;
import io.tidemark.spec.error.NearestName;
import io.tidemark.spec.expression.Refusal;
import io.tidemark.spec.time.SpecDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A value in the file. Whatever it is asked for and is not, it reports itself and answers empty.
 *
 * @param path e.g. {@code window.hopping.slide}
 * @param line of its key, or its own where it has none, from 1
 */
record YamlValue(String path, int line, Node node, Problems problems) {

  static YamlValue root(Node node, Problems problems) {
    return new YamlValue("", line(node), node, problems);
  }

  void refuse(String what, String remedy) {
    problems.error(line, path, what, remedy);
  }

  void refuse(Refusal refusal) {
    refuse(refusal.what(), refusal.remedy());
  }

  void warn(String what, String remedy) {
    problems.warn(line, path, what, remedy);
  }

  boolean isList() {
    return node instanceof SequenceNode;
  }

  boolean isMapping() {
    return node instanceof MappingNode;
  }

  /** A text that is not blank. */
  Optional<String> text() {
    return textOrBlank()
        .flatMap(
            text -> {
              if (text.isBlank()) {
                refuse("is blank", "Give it a value, or remove the key.");
                return Optional.empty();
              }
              return Optional.of(text.strip());
            });
  }

  /** A text exactly as it is, numbers and booleans included; {@code ""} is one, nothing is not. */
  Optional<String> textOrBlank() {
    if (node instanceof ScalarNode scalar && !Tag.NULL.equals(scalar.getTag())) {
      return Optional.of(scalar.getValue());
    }
    refuse("must be a single value, but is " + kind(), "Give it one value, or remove the key.");
    return Optional.empty();
  }

  /** The elements of a list. */
  Optional<List<YamlValue>> items() {
    if (!(node instanceof SequenceNode sequence)) {
      refuse("must be a list, but is " + kind(), "Write it in brackets: [a, b].");
      return Optional.empty();
    }
    List<YamlValue> items = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      items.add(new YamlValue(path + "[" + items.size() + "]", line(item), item, problems));
    }
    return Optional.of(items);
  }

  /** The values of a mapping whose keys are names of the user's own, in the file's order. */
  Optional<Map<String, YamlValue>> namedValues() {
    if (!(node instanceof MappingNode mapping)) {
      refuse("must be a mapping, but is " + kind(), "Write it as name: value.");
      return Optional.empty();
    }
    Map<String, YamlValue> values = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      Node key = tuple.getKeyNode();
      if (!(key instanceof ScalarNode scalar)) {
        problems.error(line(key), path, "has a key that is not a name", "Write name: value.");
        continue;
      }
      String name = scalar.getValue();
      YamlValue value = new YamlValue(child(name), line(key), tuple.getValueNode(), problems);
      if (values.putIfAbsent(name, value) != null) {
        problems.error(line(key), value.path, "is given twice", "Keep one of the two.");
      }
    }
    return Optional.of(values);
  }

  /** The value of one key of a mapping, without a check of the others. */
  Optional<YamlValue> mappingValue(String key) {
    return node instanceof MappingNode mapping
        ? mapping.getValue().stream()
            .filter(
                tuple ->
                    tuple.getKeyNode() instanceof ScalarNode scalar
                        && scalar.getValue().equals(key))
            .findFirst()
            .map(
                tuple ->
                    new YamlValue(
                        child(key), line(tuple.getKeyNode()), tuple.getValueNode(), problems))
        : Optional.empty();
  }

  /** A mapping with these keys. */
  Optional<Section> section(KnownKeys known) {
    return namedValues().map(values -> Section.of(this, known, values));
  }

  Optional<Duration> duration() {
    return text()
        .flatMap(
            text -> {
              Optional<Duration> duration = SpecDuration.parse(text);
              if (duration.isEmpty()) {
                refuse(
                    "'" + text + "' is not a duration",
                    "Write a whole number and one of the units ms, s, m, h, d, e.g. 90s.");
              }
              return duration;
            });
  }

  Optional<Duration> positiveDuration() {
    return duration()
        .flatMap(
            duration -> {
              if (duration.isZero()) {
                refuse("must be longer than 0", "Write for example 1m.");
                return Optional.empty();
              }
              return Optional.of(duration);
            });
  }

  Optional<Percentage> percentage() {
    return text()
        .flatMap(
            text -> {
              Optional<Percentage> percentage = Percentage.parse(text);
              if (percentage.isEmpty()) {
                refuse("'" + text + "' is not a percentage", "Write a number and %, e.g. 5%.");
              }
              return percentage;
            });
  }

  /**
   * A whole number from 1 to 999,999,999.
   *
   * @param what it is, for messages, e.g. {@code a number of files}
   */
  Optional<Long> count(String what, long example) {
    Optional<String> text = text();
    if (text.isPresent() && !text.get().matches("[1-9]\\d{0,8}")) {
      refuse("'" + text.get() + "' is not " + what, "Write for example " + example + ".");
      return Optional.empty();
    }
    return text.map(Long::parseLong);
  }

  /** One of the names; {@code notYet} are names of the design whose feature does not exist yet. */
  <T> Optional<T> oneOf(Map<String, T> choices, List<String> notYet) {
    Optional<String> text = text();
    if (text.isEmpty() || choices.containsKey(text.get())) {
      return text.map(choices::get);
    }
    List<String> names = choices.keySet().stream().sorted().toList();
    if (notYet.contains(text.get())) {
      refuse(
          "'" + text.get() + "' is not supported yet",
          "Supported now: " + String.join(", ", names) + ".");
    } else {
      refuse(
          "'" + text.get() + "' is not known here",
          NearestName.remedy(text.get(), "Known values", names));
    }
    return Optional.empty();
  }

  String child(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private String kind() {
    if (node instanceof SequenceNode) {
      return "a list";
    }
    if (node instanceof MappingNode) {
      return "a mapping";
    }
    return node instanceof ScalarNode scalar && !Tag.NULL.equals(scalar.getTag())
        ? "the single value '" + scalar.getValue() + "'"
        : "empty";
  }

  private static int line(Node node) {
    return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }
}
