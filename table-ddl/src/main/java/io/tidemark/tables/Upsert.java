package io.tidemark.tables;

import java.util.List;

/**
 * A MERGE of whole rows, described so that a table format may do it in fewer steps than by the
 * statement: each row takes the place of the one with its identity, or is added. A row whose place
 * is taken by a protected one is left out.
 *
 * @param size the number of rows, as near as is known
 * @param statement the same as a MERGE
 * @param scope a condition of literals on the target {@code t} alone, which every row meets
 * @param identity columns that tell a row from the others, nulls being equal
 * @param isProtected a condition on a row of the target that stays as it is
 * @param isFinished a condition on a row of the target that no later upsert will change, as a rule:
 *     such rows are worth being kept apart, so that they need not be copied again and again
 */
public record Upsert(
    long size,
    MergeStatement statement,
    String scope,
    List<String> identity,
    String isProtected,
    String isFinished) {

  public Upsert {
    identity = List.copyOf(identity);
  }
}
