package io.tidemark.tables;

/**
 * A commit that was made under a {@link CommitLabel}.
 *
 * @param tableVersion the version of the table that the commit made
 * @param version the label's version
 * @param message the label's message
 */
public record LabelledCommit(long tableVersion, long version, String message) {}
