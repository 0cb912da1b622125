package io.tidemark.spec.parse;

import io.tidemark.spec.error.NearestName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A mapping of the file whose keys are fixed. Keys that are not known have been reported. */
final class Section {

  private final YamlValue value;
  private final KnownKeys known;
  private final Map<String, YamlValue> values;

  private Section(YamlValue value, KnownKeys known, Map<String, YamlValue> values) {
    this.value = value;
    this.known = known;
    this.values = values;
  }

  static Section of(YamlValue value, KnownKeys known, Map<String, YamlValue> values) {
    Section section = new Section(value, known, values);
    values.forEach(section::checkKnown);
    return section;
  }

  Optional<YamlValue> optional(String key) {
    if (!known.now().contains(key)) {
      throw new IllegalArgumentException("'" + key + "' is read, but not among " + known.now());
    }
    return Optional.ofNullable(values.get(key));
  }

  /**
   * The key's value; where it is missing that is a problem.
   *
   * @param example a line that would do
   */
  Optional<YamlValue> required(String key, String example) {
    Optional<YamlValue> found = optional(key);
    if (found.isEmpty()) {
      value.problems().error(value.line(), value.child(key), "is missing", "Add " + example + ".");
    }
    return found;
  }

  /** Reports a problem with the section as a whole. */
  void refuse(String what, String remedy) {
    value.refuse(what, remedy);
  }

  /** Reports a problem with a key that may be missing. */
  void refuseKey(String key, String what, String remedy) {
    int line = optional(key).map(YamlValue::line).orElse(value.line());
    value.problems().error(line, value.child(key), what, remedy);
  }

  void warn(String what, String remedy) {
    value.warn(what, remedy);
  }

  /**
   * Reports keys that have no effect here.
   *
   * @param here those that have
   * @param choice what makes the others void, e.g. {@code kind: files}
   */
  void refuseOthers(KnownKeys here, String choice) {
    values.forEach(
        (key, given) -> {
          if (known.now().contains(key) && !here.now().contains(key)) {
            given.refuse("has no effect on " + choice, "Remove it.");
          }
        });
  }

  boolean hasUnknownKeys() {
    return !known.now().containsAll(values.keySet());
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  private void checkKnown(String key, YamlValue given) {
    if (known.now().contains(key)) {
      return;
    }
    String feature = known.notYet().get(key);
    if (feature != null) {
      given.refuse("is not supported yet (" + feature + ")", "Remove it.");
      return;
    }
    if (Secrets.isNamedBy(key)) {
      given.refuse(
          "has no place in a pipeline file, which many read and every generation keeps",
          "Give it to Spark's configuration as spark.tidemark.kafka.<Kafka's own name>, or put it"
              + " into a file: docs/kafka.md.");
      return;
    }
    List<String> names =
        Stream.concat(known.now().stream(), known.notYet().keySet().stream().sorted()).toList();
    given.refuse(
        "is not a known key",
        NearestName.of(key, names)
            .map(nearest -> "Did you mean " + nearest + "?")
            .orElse("Known keys here: " + String.join(", ", known.now()) + "."));
  }
}
