package io.tidemark.spec.fingerprint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Collects parts, one a line; unlike values never give the same line. */
final class CanonicalText {

  private final StringBuilder text = new StringBuilder();

  CanonicalText part(String name, String value) {
    text.append(name).append(": ").append(value).append('\n');
    return this;
  }

  Fingerprint fingerprint() {
    return new Fingerprint(text.toString());
  }

  /** Text of the user's in quotes, on one line. */
  static String quoted(String text) {
    return "\""
        + text.replace("\\", "\\\\")
            .replace("\"", "\\\"")
            .replace("\n", "\\n")
            .replace("\r", "\\r")
            .replace("\u2028", "\\u2028")
            .replace("\u2029", "\\u2029")
        + "\"";
  }

  static String quoted(Optional<String> text) {
    return text.map(CanonicalText::quoted).orElse("none");
  }

  static String list(List<String> items) {
    return "[" + String.join(", ", items) + "]";
  }

  /** The items of {@link #list} or {@link #sorted}; of other text none. */
  static List<String> elements(String text) {
    List<String> elements = new ArrayList<>();
    boolean isList = text.startsWith("[") && text.endsWith("]");
    boolean isMap = text.startsWith("{") && text.endsWith("}");
    if (text.length() <= 2 || !(isList || isMap)) {
      return elements;
    }
    String items = text.substring(1, text.length() - 1);
    boolean inQuotes = false;
    int start = 0;
    for (int i = 0; i < items.length(); i++) {
      char c = items.charAt(i);
      if (inQuotes && c == '\\') {
        i++;
      } else if (c == '"') {
        inQuotes = !inQuotes;
      } else if (!inQuotes && items.startsWith(", ", i)) {
        elements.add(items.substring(start, i));
        start = i + 2;
      }
    }
    elements.add(items.substring(start));
    return elements;
  }

  /** Sorted by key: the order of the file has no meaning. */
  static String sorted(Map<String, String> map) {
    return new TreeMap<>(map)
        .entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining(", ", "{", "}"));
  }
}
