/** Generations: built beside the live one, compared with it, made live, and given up. */
@NullMarked
package io.tidemark.reconcile.generation;

import org.jspecify.annotations.NullMarked;
