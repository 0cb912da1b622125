package io.tidemark.spec.parse;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A measure as the file writes it: {@code count}, or one function of one expression.
 *
 * @param function as written
 * @param argument what stands between its parentheses; empty where it has none
 */
record MeasureText(String function, Optional<String> argument) {

  private static final Pattern CALL =
      Pattern.compile("([A-Za-z][A-Za-z0-9_-]*)\\s*(?:\\((.*)\\))?", Pattern.DOTALL);

  /** Empty for anything else, such as {@code sum(a) / sum(b)}. */
  static Optional<MeasureText> parse(String text) {
    Matcher call = CALL.matcher(text.strip());
    if (!call.matches()) {
      return Optional.empty();
    }
    Optional<String> argument = Optional.ofNullable(call.group(2)).map(String::strip);
    return argument.isPresent() && !closesOnlyAtItsEnd(argument.get())
        ? Optional.empty()
        : Optional.of(new MeasureText(call.group(1), argument));
  }

  /** Whether no parenthesis in the text closes one that was opened before it; quotes aside. */
  private static boolean closesOnlyAtItsEnd(String text) {
    int depth = 0;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        if (c == '\\' && quote != '`') {
          i++;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '\'' || c == '"' || c == '`') {
        quote = c;
      } else if (c == '(') {
        depth++;
      } else if (c == ')' && --depth < 0) {
        return false;
      }
    }
    return true;
  }
}
