package io.tidemark.tables;

/**
 * What a compaction did.
 *
 * @param replaced files whose rows lie in others now; they stay on disk until they are vacuumed
 * @param written files that hold these rows
 */
public record Compaction(long replaced, long written) {}
