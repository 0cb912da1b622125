/**
 * What is measured, each in a process of its own that the harness starts. A contender warms up,
 * measures its steps one by one, and writes its result for the comparison with the oracle.
 */
@NullMarked
package io.tidemark.bench.contender;

import org.jspecify.annotations.NullMarked;
