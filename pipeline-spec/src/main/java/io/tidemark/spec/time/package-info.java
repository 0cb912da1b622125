/** Pure time arithmetic: windows, partitions, frontier. */
@NullMarked
package io.tidemark.spec.time;

import org.jspecify.annotations.NullMarked;
