/** The pipeline file as records that refuse to be wrong; no I/O. */
@NullMarked
package io.tidemark.spec;

import org.jspecify.annotations.NullMarked;
