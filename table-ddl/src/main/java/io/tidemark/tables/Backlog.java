package io.tidemark.tables;

import java.time.Instant;
import java.util.Optional;

/**
 * Rows that commits have added and a reader has not read.
 *
 * @param rows their number
 * @param oldestCommit when the oldest of these commits was made; empty where there is none
 */
public record Backlog(long rows, Optional<Instant> oldestCommit) {}
