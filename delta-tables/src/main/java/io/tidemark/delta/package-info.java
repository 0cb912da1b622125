/** The table-format port for Delta Lake, and its commit rule for local files. */
@NullMarked
package io.tidemark.delta;

import org.jspecify.annotations.NullMarked;
