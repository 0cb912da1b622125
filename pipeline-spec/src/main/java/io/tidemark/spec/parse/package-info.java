/** YAML to records, every problem reported at once. */
@NullMarked
package io.tidemark.spec.parse;

import org.jspecify.annotations.NullMarked;
