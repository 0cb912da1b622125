/** Recount, settle, verify, status: the batch side. */
@NullMarked
package io.tidemark.reconcile;

import org.jspecify.annotations.NullMarked;
