/** Spares the stream the scans of its state that can find nothing. */
@NullMarked
package io.tidemark.ingest.eviction;

import org.jspecify.annotations.NullMarked;
