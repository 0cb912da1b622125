package io.tidemark.tables;

import java.util.function.Function;

/**
 * A MERGE into a table from a source with one row per key.
 *
 * @param sql makes the statement's text from the names of target and source, as the table format
 *     quotes them; aliases are {@code t} and {@code s}
 */
public record MergeStatement(Function<MergeRelations, String> sql) {

  /** The two relations of a MERGE, ready to stand in SQL. */
  public record MergeRelations(String target, String source) {}
}
