/** The journals of a pipeline as records: which generation is live, how far the stream has come. */
@NullMarked
package io.tidemark.tables.journal;

import org.jspecify.annotations.NullMarked;
