package io.tidemark.spec.fingerprint;

/** SQL expressions in one spelling of white space. */
final class SqlText {

  private SqlText() {}

  /**
   * Each run of white space outside quotes as one space. A text with a comment is left as it is: a
   * line's end has a meaning there.
   */
  static String canonical(String sql) {
    StringBuilder canonical = new StringBuilder();
    char quote = 0;
    for (int i = 0; i < sql.length(); i++) {
      char c = sql.charAt(i);
      if (quote != 0) {
        canonical.append(c);
        if (c == '\\' && quote != '`' && i + 1 < sql.length()) {
          canonical.append(sql.charAt(++i));
        } else if (c == quote) {
          quote = 0;
        }
      } else if (sql.startsWith("--", i) || sql.startsWith("/*", i)) {
        return sql.strip();
      } else if (!Character.isWhitespace(c)) {
        quote = c == '\'' || c == '"' || c == '`' ? c : 0;
        canonical.append(c);
      } else if (canonical.length() > 0 && canonical.charAt(canonical.length() - 1) != ' ') {
        canonical.append(' ');
      }
    }
    return canonical.toString().strip();
  }
}
