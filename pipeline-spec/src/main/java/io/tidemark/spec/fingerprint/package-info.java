/** What of a pipeline file must stay the same for data to stay comparable. */
@NullMarked
package io.tidemark.spec.fingerprint;

import org.jspecify.annotations.NullMarked;
