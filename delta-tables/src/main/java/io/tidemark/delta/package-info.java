/** The table-format port for Delta Lake, and its commit rules for local files and S3. */
@NullMarked
package io.tidemark.delta;

import org.jspecify.annotations.NullMarked;
