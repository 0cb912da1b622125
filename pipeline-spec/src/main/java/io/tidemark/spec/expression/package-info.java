/** SQL expressions of the pipeline file: parsed, checked and typed without a Spark session. */
@NullMarked
package io.tidemark.spec.expression;

import org.jspecify.annotations.NullMarked;
