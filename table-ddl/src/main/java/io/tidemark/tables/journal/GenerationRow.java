package io.tidemark.tables.journal;

import io.tidemark.tables.Generation;
import java.time.Instant;

/**
 * One build of a pipeline's tables.
 *
 * @param archiveFingerprint of how the archive is read
 * @param fingerprint of all that changes the build's numbers
 * @param definition the canonical text under the fingerprint
 * @param promotedAt when it became live
 */
public record GenerationRow(
    Generation generation,
    String archiveFingerprint,
    String fingerprint,
    String definition,
    Instant promotedAt) {}
