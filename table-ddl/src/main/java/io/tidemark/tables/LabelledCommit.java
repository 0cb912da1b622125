package io.tidemark.tables;

/**
 * A commit that was made under a {@link CommitLabel}.
 *
 * @param tableVersion the version of the table that the commit made
 */
public record LabelledCommit(long tableVersion, CommitLabel label) {}
