/** Sources to archive, and archive to aggregates: the streaming side. */
@NullMarked
package io.tidemark.ingest;

import org.jspecify.annotations.NullMarked;
