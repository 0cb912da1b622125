/** The versioned MERGEs: rendered by pure functions, run with retry. */
@NullMarked
package io.tidemark.merge;

import org.jspecify.annotations.NullMarked;
