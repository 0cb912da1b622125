/** Events to measure with: made from a seed, with what is exact about them beside. */
@NullMarked
package io.tidemark.bench.workload;

import org.jspecify.annotations.NullMarked;
