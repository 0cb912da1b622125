package io.tidemark.tables;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a table looks like, in no format's words.
 *
 * @param comment explains the table to an analyst who describes it
 * @param partitionColumn the column by whose values files are kept apart
 * @param checks conditions that every row meets, by name
 * @param traits what the jobs need of the table
 */
public record TableDefinition(
    String comment,
    List<ColumnDefinition> columns,
    Optional<String> partitionColumn,
    NavigableMap<String, String> checks,
    Set<Trait> traits) {

  /**
   * The version of our tables' layout, kept in each of them so that a later release can migrate.
   */
  public static final int FORMAT_VERSION = 4;

  /**
   * How long a table's log and replaced files are kept, so how far back it can be read, streamed
   * and recounted from.
   */
  public static final Duration HISTORY = Duration.ofDays(30);

  /** What the jobs need of a table. */
  public enum Trait {
    /** Rows are only ever added. */
    APPEND_ONLY,
    /** Rows added since a version can be read, each with the version that added it. */
    CHANGES_KEPT
  }

  public TableDefinition {
    columns = List.copyOf(columns);
    checks = Collections.unmodifiableNavigableMap(new TreeMap<>(checks));
    traits = Set.copyOf(traits);
  }
}
