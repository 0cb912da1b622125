package io.tidemark.spec.parse;

import io.tidemark.spec.expression.Refusal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The columns of the aggregates' table and views, each with its owner. Case is ignored. */
final class StoredNames {

  private static final List<String> OWN =
      List.of(
          "window_start",
          "window_end",
          "event_count",
          "version",
          "window_date",
          "window_hour",
          "status",
          "generation",
          "memberships",
          "duplicates",
          "left_out",
          "imported",
          // The corrections' and the left-out events' columns stand beside the keys.
          "settlement",
          "attempt",
          "kind",
          "before",
          "after",
          "change",
          "event_id",
          "event_time",
          "arrival_time",
          "archive_version",
          "closed_through");

  private final Map<String, String> owners = new HashMap<>();

  StoredNames() {
    OWN.forEach(name -> owners.put(name, "Tidemark's own tables and views"));
  }

  /** Whether the column is Tidemark's own. */
  static boolean isOwn(String name) {
    return OWN.contains(name.toLowerCase(Locale.ROOT));
  }

  /**
   * Takes a name, or says why it cannot be had.
   *
   * @param owner who takes it, e.g. "the key ad_id"
   * @param remedy what to do if another has it
   */
  Optional<Refusal> take(String name, String owner, String remedy) {
    String other = owners.putIfAbsent(name.toLowerCase(Locale.ROOT), owner);
    return Optional.ofNullable(other)
        .map(
            taken ->
                new Refusal("needs the column " + name + ", which belongs to " + taken, remedy));
  }
}
