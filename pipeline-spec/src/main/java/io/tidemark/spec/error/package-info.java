/** The few exceptions, named by what the caller can do. */
@NullMarked
package io.tidemark.spec.error;

import org.jspecify.annotations.NullMarked;
