package io.tidemark.spec.parse;

import java.util.regex.Pattern;

/** What tells a key that holds, or leads to, a password or a key. */
final class Secrets {

  private static final Pattern NAMES =
      Pattern.compile(
          "(?i).*(passw|secret|jaas|sasl|ssl|tls|truststore|keystore|security|credential|token"
              + "|username|api.?key|access.?key).*|kafka\\..*");

  private Secrets() {}

  static boolean isNamedBy(String key) {
    return NAMES.matcher(key).matches();
  }
}
