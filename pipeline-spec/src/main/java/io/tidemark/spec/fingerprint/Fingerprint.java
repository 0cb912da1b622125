package io.tidemark.spec.fingerprint;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parts of a spec that must not change, in one spelling.
 *
 * @param canonicalText lines of the form {@code part: value}; stored, so that a later difference
 *     can be told in words
 */
public record Fingerprint(String canonicalText) {

  /** The part that holds the event's columns, in their order. */
  static final String SCHEMA = "event.schema";

  /** One part that differs; a value is empty where a fingerprint lacks the part. */
  public record Difference(String part, String before, String after) {

    /** Like {@code window: was tumbling 1m, is tumbling 5m}; of lists what is not in both. */
    public String inWords() {
      List<String> was = CanonicalText.elements(before);
      List<String> is = CanonicalText.elements(after);
      boolean reordered = was.size() == is.size() && was.containsAll(is);
      if (was.isEmpty() || is.isEmpty() || reordered) {
        return "%s: was %s, is %s".formatted(part, before, after);
      }
      return "%s: was %s, is %s%s"
          .formatted(
              part,
              without(was, is),
              without(is, was),
              was.stream().anyMatch(is::contains) ? "; the others are the same" : "");
    }

    private static String without(List<String> these, List<String> those) {
      List<String> rest = these.stream().filter(one -> !those.contains(one)).toList();
      return rest.isEmpty() ? "nothing" : String.join(", ", rest);
    }
  }

  /** 64 hexadecimal digits, equal exactly where the texts are. */
  public String sha256() {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256")
                  .digest(canonicalText.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * What has changed since the other one was taken, e.g. {@code measures}; empty if nothing has.
   */
  public List<Difference> differencesFrom(Fingerprint before) {
    Map<String, String> now = parts();
    Map<String, String> then = before.parts();
    Set<String> names = new LinkedHashSet<>(then.keySet());
    names.addAll(now.keySet());
    return names.stream()
        .map(n -> new Difference(n, then.getOrDefault(n, ""), now.getOrDefault(n, "")))
        .filter(difference -> !difference.before().equals(difference.after()))
        .toList();
  }

  /** Whether nothing differs from the other one but columns at the end of the schema. */
  public boolean equalsOrAppendsColumnsTo(Fingerprint before) {
    List<Difference> differences = differencesFrom(before);
    if (differences.size() != 1 || !differences.get(0).part().equals(SCHEMA)) {
      return differences.isEmpty();
    }
    List<String> was = CanonicalText.elements(differences.get(0).before());
    List<String> is = CanonicalText.elements(differences.get(0).after());
    return was.size() < is.size() && is.subList(0, was.size()).equals(was);
  }

  /** What the other one says of the parts that this one has. */
  public Fingerprint samePartsOf(Fingerprint other) {
    CanonicalText text = new CanonicalText();
    parts().keySet().forEach(name -> other.part(name).ifPresent(value -> text.part(name, value)));
    return text.fingerprint();
  }

  /** The value of a part, e.g. of {@code window}. */
  public Optional<String> part(String name) {
    return Optional.ofNullable(parts().get(name));
  }

  private Map<String, String> parts() {
    Map<String, String> parts = new LinkedHashMap<>();
    canonicalText
        .lines()
        .forEach(
            line -> {
              int colon = line.indexOf(": ");
              parts.put(
                  colon < 0 ? line : line.substring(0, colon),
                  colon < 0 ? "" : line.substring(colon + 2));
            });
    return parts;
  }
}
