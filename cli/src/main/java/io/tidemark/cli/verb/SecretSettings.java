package io.tidemark.cli.verb;

import io.tidemark.spec.error.SpecException;
import java.util.Collection;
import java.util.regex.Pattern;

/** Settings that have no place on a command line, which every user of a machine can read. */
final class SecretSettings {

  private static final Pattern NAMES =
      Pattern.compile("(?i).*(passw|secret|jaas|token$|access\\.?key|ssl\\.keystore\\.key).*");

  private SecretSettings() {}

  /**
   * Looks at the names alone; no value is repeated.
   *
   * @throws SpecException if one of them is a secret's
   */
  static void requireNoneOf(Collection<String> names) {
    for (String name : names) {
      if (NAMES.matcher(name).matches()) {
        throw new SpecException(
            "Refusing --conf "
                + name
                + ": what stands on a command line can be read by every user of the machine, and is"
                + " kept in logs and histories. Give it in Spark's configuration file, a file that"
                + " spark.tidemark.kafka.config names, or a Hadoop credential provider:"
                + " docs/kafka.md.");
      }
    }
  }
}
