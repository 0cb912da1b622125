package io.tidemark.reconcile;

/**
 * What is dirty in a settled partition.
 *
 * @param pairs (window, key) with events archived since the last settlement
 * @param rows settled rows in all; 0 where so few pairs are dirty that they were not counted
 */
public record DirtyPartition(long pairs, long rows) {}
