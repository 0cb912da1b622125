/** The job {@code maintain}: fewer and larger files, and a past no longer than is needed. */
@NullMarked
package io.tidemark.reconcile.maintain;

import org.jspecify.annotations.NullMarked;
