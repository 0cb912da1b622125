/**
 * The one definition of the aggregate, as Dataset to Dataset, that stream and recount both call.
 */
@NullMarked
package io.tidemark.spec.computation;

import org.jspecify.annotations.NullMarked;
