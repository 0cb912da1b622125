/**
 * Events that are hard to count, and the right counts of them. Plain Java after the words of the
 * design: nothing here uses the product or Spark, so that an error in one cannot hide in the other.
 */
@NullMarked
package io.tidemark.tests.oracle;

import org.jspecify.annotations.NullMarked;
