package io.tidemark.tables.journal;

import io.tidemark.tables.Generation;
import java.time.Instant;

/**
 * That a candidate was compared, for the promotion to rely on.
 *
 * @param run the run that compared
 * @param live the generation it was compared with
 * @param rows compared
 * @param differing of them, those that are not the same on both sides
 * @param within whether no more differed than was tolerated
 */
public record ComparisonNote(
    String run, Generation live, long rows, long differing, boolean within, Instant comparedAt) {}
