/** Delta Lake behind the table-format port, and its rule for commits on local files. */
@NullMarked
package io.tidemark.delta;

import org.jspecify.annotations.NullMarked;
